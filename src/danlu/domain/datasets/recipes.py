"""Public sets that everybody knows: where their archives are, what is in them, and which task they fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.datasets.classes import CIFAR10, COCO, IMAGENET_SOME
from danlu.domain.words import NOTHING, Words


class LearningTask(StrEnum):
    """What a set is for; presets of trainings ask for it."""

    CLASSIFICATION = "classification"
    DETECTION = "detection"


@dataclass(frozen=True, slots=True)
class RecipeArchive:
    """One archive of a set. `md5` is what the original has, where that is known for certain; `url` is empty where
    everybody brings their own. It is unpacked into `into`; with `nested`, so are the archives in it, each into a folder
    of its name. `size` is about how many bytes come."""

    name: str
    size: int
    url: str = ""
    md5: str = ""
    into: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class RecipePath:
    """What is where in the set, the same in the original and in its stand-in."""

    path: str
    holds: Words


@dataclass(frozen=True, slots=True)
class StandInSize:
    """How many images a stand-in has, and may have."""

    usual: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a public set becomes a dataset. `needs` is what only the person can bring; `unpacked` about how many bytes
    there are in the end; `classes` those of the set, or (`some_classes`) those of its stand-in alone."""

    id: str
    title: str
    task: LearningTask
    about: Words
    licence: str
    home: str
    archives: tuple[RecipeArchive, ...]
    layout: tuple[RecipePath, ...]
    classes: Mapping[str, str]
    stand_in: StandInSize
    unpacked: int
    needs: Words = NOTHING
    some_classes: bool = False

    @property
    def size(self) -> int:
        return sum(one.size for one in self.archives)

    @property
    def own(self) -> bool:
        """Whether people bring the archives themselves."""
        return not all(one.url for one in self.archives)


_MB, _GB = 10**6, 10**9
_COCO = "http://images.cocodataset.org"

_CIFAR10 = Recipe(
    "cifar10",
    "CIFAR-10",
    LearningTask.CLASSIFICATION,
    Words(
        "60,000 colour images of 32 × 32 pixels in ten classes, 10,000 of them for testing.",
        "60,000 张 32 × 32 彩色图像，共 10 类，其中 10,000 张用于测试。",
    ),
    "none stated; cite Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009",
    "https://www.cs.toronto.edu/~kriz/cifar.html",
    (
        RecipeArchive(
            "cifar-10-python.tar.gz",
            170 * _MB,
            "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
            "c58f30108f718f92721af3b95e74349a",
        ),
    ),
    (
        RecipePath(
            "cifar-10-batches-py/data_batch_1 … data_batch_5",
            Words(
                "training images: pickled dictionaries with data (uint8, N × 3072), labels and filenames",
                "训练图像：pickle 字典，含 data（uint8，N × 3072）、labels 和 filenames",
            ),
        ),
        RecipePath(
            "cifar-10-batches-py/test_batch", Words("test images, in the same form", "测试图像，格式相同")
        ),
        RecipePath("cifar-10-batches-py/batches.meta", Words("the names of the classes", "类别名称")),
    ),
    CIFAR10,
    StandInSize(1_200, 60, 60_000),
    186 * _MB,
)

_COCO2017 = Recipe(
    "coco2017",
    "COCO 2017",
    LearningTask.DETECTION,
    Words(
        "118,000 images for training and 5,000 for validation, with boxes and outlines of objects in 80 categories and "
        "captions.",
        "118,000 张训练图像和 5,000 张验证图像，带 80 类物体的边界框、轮廓以及图像描述。",
    ),
    "annotations: CC-BY-4.0; images: the terms of Flickr",
    "https://cocodataset.org/",
    (
        RecipeArchive("train2017.zip", 19_300 * _MB, f"{_COCO}/zips/train2017.zip"),
        RecipeArchive("val2017.zip", 816 * _MB, f"{_COCO}/zips/val2017.zip"),
        RecipeArchive(
            "annotations_trainval2017.zip",
            253 * _MB,
            f"{_COCO}/annotations/annotations_trainval2017.zip",
        ),
    ),
    (
        RecipePath("train2017/*.jpg", Words("training images", "训练图像")),
        RecipePath("val2017/*.jpg", Words("validation images", "验证图像")),
        RecipePath(
            "annotations/instances_{train,val}2017.json",
            Words(
                "images, annotations (bbox, segmentation, category_id) and categories",
                "images、annotations（bbox、segmentation、category_id）和 categories",
            ),
        ),
        RecipePath(
            "annotations/captions_{train,val}2017.json", Words("captions of the images", "图像的文字描述")
        ),
    ),
    {str(number): name for number, _, name in COCO},
    StandInSize(120, 6, 20_000),
    20_900 * _MB,
)

_IMAGENET = Recipe(
    "imagenet",
    "ImageNet (ILSVRC 2012)",
    LearningTask.CLASSIFICATION,
    Words(
        "1.28 million training images in 1,000 classes, and 50,000 for validation. Classes of the validation images "
        "are not in their archive.",
        "128 万张训练图像，共 1,000 类，另有 50,000 张验证图像。验证图像的类别不在其归档中。",
    ),
    "for research and education only; terms of image-net.org",
    "https://image-net.org/download.php",
    (
        RecipeArchive(
            "ILSVRC2012_img_train.tar",
            148 * _GB,
            md5="1d675b47d978889d74fa0da5fadfb00e",
            into="train",
            nested=True,
        ),
        RecipeArchive(
            "ILSVRC2012_img_val.tar",
            6_745 * _MB,
            md5="29b22e2961454d5413ddabcf34fc5622",
            into="val",
        ),
    ),
    (
        RecipePath(
            "train/CLASS/CLASS_*.JPEG",
            Words("training images, a folder for each class", "训练图像，每类一个目录"),
        ),
        RecipePath(
            "val/ILSVRC2012_val_*.JPEG", Words("validation images, without classes", "验证图像，不含类别")
        ),
    ),
    IMAGENET_SOME,
    StandInSize(240, 30, 20_000),
    155 * _GB,
    Words(
        "an account at image-net.org: download ILSVRC2012_img_train.tar and ILSVRC2012_img_val.tar there, and name the "
        "folder that has them: a URL, or a folder of a volume",
        "image-net.org 的账号：请自行下载 ILSVRC2012_img_train.tar 和 ILSVRC2012_img_val.tar，"
        "并指定存放它们的位置：URL 或存储卷中的目录",
    ),
    some_classes=True,
)

RECIPES: Mapping[str, Recipe] = {one.id: one for one in (_CIFAR10, _COCO2017, _IMAGENET)}


def card_of(recipe: Recipe, stand_in: int) -> str:
    """Markdown, for the dataset that is made."""
    lines = [f"# {recipe.title}", "", recipe.about.en, "", recipe.about.zh, ""]
    if stand_in:
        lines += [_STAND_IN.en.format(count=f"{stand_in:,}"), ""]
        lines += [_STAND_IN.zh.format(count=f"{stand_in:,}"), ""]
    lines += [f"- Task: {recipe.task.value}", f"- Licence: {recipe.licence}", f"- Home: <{recipe.home}>", ""]
    lines += ["| Path | What is there |", "|---|---|"]
    lines += [f"| `{one.path}` | {one.holds.en} · {one.holds.zh} |" for one in recipe.layout]
    lines += ["| `danlu.json` | this schema, for programs · 供程序读取的本说明 |", ""]
    return "\n".join(lines)


def schema_of(recipe: Recipe, stand_in: int) -> dict[str, object]:
    """What programs read in `danlu.json`, in the original and the stand-in alike."""
    known: dict[str, object] = {
        "recipe": recipe.id,
        "task": recipe.task.value,
        "stand_in": bool(stand_in),
        "layout": {one.path: one.holds.en for one in recipe.layout},
    }
    if stand_in or not recipe.some_classes:
        known["classes"] = dict(recipe.classes)
    return known


_STAND_IN = Words(
    "**This is a stand-in** with {count} made-up images in the same layout, to try programs with. What it teaches is "
    "worth nothing.",
    "**这是替身数据**：{count} 张按相同目录结构生成的图像，仅用于试运行程序，训练结果没有意义。",
)
