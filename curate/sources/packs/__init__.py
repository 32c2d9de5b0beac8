"""Lists of benchmarks' test tasks, read into one shape (`model.listed_task`): a module a benchmark, found by itself."""
