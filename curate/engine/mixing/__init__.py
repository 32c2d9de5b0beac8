"""A mixture of datasets: what may be taken (`candidates`), what is drawn of it (`drawing`), and the dataset that it
becomes (`mix`)."""
