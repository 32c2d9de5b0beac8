"""What nobody has tried of publishing: a line each, the system before the colon, as docs/untested.md lists it."""

UNTESTED = (
    "the Hub: the Hub itself. All of publishing is tested over HTTP, with the real huggingface_hub and datasets, "
    "against a stand-in on loopback that was written from what they ask and expect.",
    "the Hub: Xet, by which the Hub takes large files where hf-xet is installed (it comes with huggingface_hub). No "
    "stand-in speaks it; tests set HF_HUB_DISABLE_XET=1, which sends them by LFS, and so can you. Xet has no other way "
    "back: with it switched on, a server that does not speak it ends the upload with an error.",
    "the Hub: what its viewer shows of the tables, and its own scan for secrets.",
    "the Hub: tokens of single repositories, organisations with resource groups, storage regions, gated datasets.",
    "the Hub: files above 5 GB, which go in parts (parts are tested with small files; shards are cut at 500 MB).",
)
