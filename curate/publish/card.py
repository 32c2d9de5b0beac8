"""README.md of a publication: the Hub's card. Every number comes from the manifest; what is recorded stands as code."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import yaml

from curate.publish import card_parts as parts
from curate.publish import statements as say
from curate.publish.configs import Config, card_configs, card_infos
from curate.publish.fields import STEP_FIELDS, TRAJECTORY_FIELDS
from curate.publish.inert import code, plain
from curate.publish.manifest import Manifest
from curate.publish.options import PublishOptions

CARD = "README.md"
_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
_SHORT = {1_000: "1K", 10_000: "10K", 100_000: "100K", 1_000_000: "1M", 10_000_000: "10M", 100_000_000: "100M"}


def card(manifest: Manifest, configs: list[Config], options: PublishOptions) -> str:
    """The card. The same manifest, configs and options give the same text."""
    title = options.title or options.repo.rpartition("/")[2]
    front = yaml.safe_dump(metadata(manifest, configs, options, title), sort_keys=False, allow_unicode=True, width=120)
    return _environment().get_template("card.md").render(
        yaml=front,
        title=plain(title),
        repo=options.repo,
        summary=parts.summary(manifest),
        splits=parts.split_rows(manifest),
        configs=parts.config_rows(manifest, configs),
        media=parts.media(manifest),
        step_fields=STEP_FIELDS.items(),
        trajectory_fields=TRAJECTORY_FIELDS.items(),
        example_fields=parts.example_fields(configs),
        sample=parts.sample(manifest),
        snippet=snippet(options.repo, configs),
        made=parts.made(manifest),
        funnel=parts.funnel_rows(manifest),
        after=parts.after(manifest),
        rejected=manifest.value("rejected_by_reason"),
        license=parts.license_line(manifest),
        parts=manifest.value("parts"),
        collection=say.collection(manifest),
        annotators=say.annotators(manifest),
        consent=say.consent(manifest),
        pay=say.pay(manifest, code),
        outcomes=say.outcomes(manifest, code),
        labels=parts.labels(manifest),
        variety=parts.variety(manifest),
        remarks=parts.remarks(manifest),
        audit=parts.audit(manifest),
        leaks=parts.leaks(manifest),
        leak_rows=parts.leak_rows(manifest),
        near_copies=parts.near_copies(manifest),
        unseen=parts.unseen(manifest),
        unseen_rows=parts.unseen_rows(manifest),
        pointer=manifest.value("pointer"),
        personal=say.personal(manifest, code),
        takedown=say.takedown(manifest),
        limits=say.limits(manifest) or ["None is known from the counts of this dataset."],
        accepted=parts.accepted(manifest),
        biases=say.biases(manifest),
        citation=parts.citation(options),
    )  # fmt: skip


def metadata(manifest: Manifest, configs: list[Config], options: PublishOptions, title: str) -> dict[str, Any]:
    """The card's YAML: what the Hub reads."""
    found: dict[str, Any] = {"license": options.license}
    if options.license_name:
        found["license_name"] = options.license_name
    if options.license_link:
        found["license_link"] = options.license_link
    platforms = [name for name in manifest.value("platforms") if name != "unknown"]
    sizes = {file.path: file.bytes for file in manifest.files}
    return {
        **found,
        "pretty_name": title,
        "size_categories": [size_category(manifest.value("steps"))],
        "task_categories": ["image-text-to-text"],
        "tags": ["computer-use", "gui", "agent", "trajectories", *platforms],
        "configs": card_configs(configs),
        "dataset_info": card_infos(configs, sizes),
    }


def size_category(rows: int) -> str:
    """The Hub's class of so many rows: `n<1K`, `1K<n<10K`, ..."""
    below = next((limit for limit in _SIZES if rows < limit), None)
    if below is None or below not in _SHORT:
        return "100M<n<1B" if below else "1B<n<10B"
    return f"n<{_SHORT[below]}" if below == _SIZES[0] else f"{_SHORT[below // 10]}<n<{_SHORT[below]}"


def snippet(repo: str, configs: list[Config]) -> str:
    """Python that loads the dataset; it runs as it stands."""
    splits = next(config.splits for config in configs if config.name == "steps")
    split = "train" if "train" in splits else next(iter(splits), "train")
    return f'''from datasets import load_dataset

steps = load_dataset("{repo}", "steps", split="{split}", streaming=True)
step = next(iter(steps))
print(step["instruction"], step["action"], step["code"], step["image"].size if step["image"] else None)

runs = load_dataset("{repo}", "trajectories", split="{split}", streaming=True)
run = next(iter(runs))
print(run["id"], run["outcome"], len(run["steps"]))
'''


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates"), encoding="utf-8"),
        autoescape=False,  # Markdown: `inert` is what makes recorded text harmless
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        code=code, n=lambda value: f"{value:,}", bytes=parts.size, interval=say.interval,
        known=lambda value: "not known" if value is None else f"{value:,}",
    )  # fmt: skip
    return made
