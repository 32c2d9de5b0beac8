"""What data says of itself: its coordinate frame and order, which way its scrolls go, when its pictures were taken;
each with its evidence, how sure that is, and where it contradicts what the source declares.

Pure: a `sample.Sample` in, `verdict.Verdict`s out. `sources.survey` reads the sample of an input; `examine` is the one
function to call."""
