"""What data says of itself: its coordinate frame and order, which way its scrolls go, when its pictures were taken;
each with its evidence, how sure that is, and where it contradicts what the source declares.

Pure but for two modules: `survey` reads the sample of an input, `settle` reads an input with what the data decides. In
between a `sample.Sample` goes in and `verdict.Verdict`s come out of `examine`, the one function to call."""
