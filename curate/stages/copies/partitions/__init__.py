"""The same decision in parts that know nothing of each other: for a cluster, and as the second implementation that the
certificate of a run is made with."""
