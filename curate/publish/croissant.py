"""croissant.json of a publication: what it holds for machines (Croissant 1.1), with the fields of responsible AI, from
the same manifest as the card."""

from __future__ import annotations

from typing import Any

from curate.publish import statements as say
from curate.publish.configs import DEFAULT, FOLDERS, Config, pattern
from curate.publish.croissant_fields import fields
from curate.publish.fields import STEP_FIELDS, TRAJECTORY_FIELDS
from curate.publish.manifest import Manifest
from curate.publish.options import PublishOptions

CROISSANT = "croissant.json"
_DESCRIBED = {"steps": STEP_FIELDS, "trajectories": TRAJECTORY_FIELDS}
_CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape", "citeAs": "cr:citeAs",
    "column": "cr:column", "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip


def croissant(manifest: Manifest, configs: list[Config], options: PublishOptions) -> dict[str, Any]:
    """The JSON-LD document."""
    address = f"https://huggingface.co/datasets/{options.repo}"
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": options.repo.rpartition("/")[2],
        "description": f"{say.collection(manifest)} {say.sources(manifest, str)} {say.outcomes(manifest, str)}",
        "license": options.license_link or options.license,
        "url": address,
        **({"version": options.version} if options.version else {}),
        "citeAs": options.citation or f"{options.repo}, {address}",
        "distribution": _distribution(configs, address),
        "recordSet": [_records(config) for config in configs],
        **responsible(manifest),
    }


def _distribution(configs: list[Config], address: str) -> list[dict[str, Any]]:
    """The repository, and the files of each config in it. A hash of the repository cannot stand in one of its own
    files: manifest.json has those of the files."""
    repository = {
        "@type": "cr:FileObject", "@id": "repo", "name": "repo", "description": "The repository on the Hub.",
        "contentUrl": address, "encodingFormat": "git+https",
        "sha256": "https://github.com/mlcommons/croissant/issues/80",
    }  # fmt: skip
    sets = [
        {
            "@type": "cr:FileSet", "@id": f"files-{config.name}-{split}", "containedIn": {"@id": "repo"},
            "encodingFormat": "application/x-parquet",
            "includes": pattern(config.name, split),
        }
        for config in configs for split in config.splits
    ]  # fmt: skip
    together = [
        {
            "@type": "cr:FileSet", "@id": f"files-{config.name}", "containedIn": {"@id": "repo"},
            "encodingFormat": "application/x-parquet",
            "includes": f"{FOLDERS[config.name]}/*.parquet",
        }
        for config in configs
    ]  # fmt: skip
    return [repository, *together, *sets]


def _records(config: Config) -> dict[str, Any]:
    known = _DESCRIBED.get(config.name, {})
    return {
        "@type": "cr:RecordSet", "@id": config.name, "name": config.name,
        "description": f"{'The default config. ' if config.name == DEFAULT else ''}Splits: {', '.join(config.splits)}.",
        "field": fields(config, known),
    }  # fmt: skip


def responsible(manifest: Manifest) -> dict[str, Any]:
    """The fields of responsible AI."""
    right = manifest.value("step_labels")["correct"]
    return {
        "rai:dataCollection": f"{say.collection(manifest)} {say.consent(manifest)} {say.pay(manifest, str)}",
        "rai:dataCollectionType": _types(manifest),
        "rai:dataCollectionMissingData": "Unknown is null, never guessed. " + " ".join(say.limits(manifest)),
        "rai:dataCollectionRawData": "Raw events and screen video became steps; what became of each raw event is "
        "counted in report.json. Of published datasets their own records were read.",
        "rai:dataPreprocessingProtocol": [
            f"{row['name']}: {row['in']:,} runs in, {row['kept']:,} kept" for row in manifest.value("funnel")
        ],
        "rai:dataAnnotationProtocol": f"{say.outcomes(manifest, str)} Steps marked right or wrong: "
        f"{right.get('yes', 0) + right.get('no', 0):,} of {sum(right.values()):,}.",
        "rai:dataAnnotationAnalysis": say.audit_lines(manifest),
        "rai:annotationsPerItem": "Not known beyond who says how a run ended.",
        "rai:annotatorDemographics": say.annotators(manifest),
        "rai:machineAnnotationTools": [f"{name} {version}" for name, version in manifest.value("versions").items()],
        "rai:personalSensitiveInformation": f"{say.personal(manifest, str)} {say.takedown(manifest)}",
        "rai:dataBiases": say.biases(manifest),
        "rai:dataLimitations": say.limits(manifest),
        "rai:dataUseCases": "Training and studying agents that operate computers. Not for recognising people.",
        "rai:dataSocialImpact": "Agents that operate computers can act on people's behalf and against it; screens of "
        "third parties' software and pages are shown.",
        "rai:dataReleaseMaintenancePlan": f"Revisions are listed in CHANGELOG.md. {say.takedown(manifest)}",
    }


def _types(manifest: Manifest) -> list[str]:
    """Of the spec's own list."""
    actors = manifest.value("actors")
    found = ["Manual Human Curator"] if actors.get("human") else []
    found += ["Software Collection"] if set(actors) - {"human", "unknown"} else []
    return found or ["Others"]
