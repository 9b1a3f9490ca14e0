"""The list of vectors that TensorBoard's writers keep beside the event files of a run."""

from __future__ import annotations

from tuimon.formats.projector import FORMAT
from tuimon.records import MediaRecord

NAME = "run/projector_config.pbtxt"
TEXT = b"""embeddings {
tensor_name: "features:00120"
tensor_path: "00120/features/tensors.tsv"
metadata_path: "00120/features/metadata.tsv"
sprite { image_path: "sprite.png"
single_image_dim: 28 }
}
embeddings {
  tensor_name: 'odd \\'name\\''
  tensor_path: "t.tsv"
}
embeddings { metadata_path: "labels without vectors" }
"""


def test_vectors_and_labels_by_step():
    """The step stands behind the name; what has no vectors is left out."""
    assert FORMAT.sniff(NAME, TEXT)
    assert not FORMAT.sniff("run/other.pbtxt", TEXT)
    first, labels, second = FORMAT.parser(NAME).parse(TEXT, True).records
    assert isinstance(first, MediaRecord)
    assert (first.tag, first.step, first.body["kind"]) == ("features", 120.0, "embedding")
    assert (labels.body["kind"], labels.body["path"]) == ("labels", "00120/features/metadata.tsv")
    assert (second.tag, second.step, second.body["path"]) == ("odd 'name'", None, "t.tsv")


def test_it_makes_no_run_and_damage_is_nothing():
    """It goes with the event files of its directory; half a file tells what is whole."""
    assert FORMAT.companion
    assert FORMAT.parser(NAME).parse(TEXT[:60], True).records == []
