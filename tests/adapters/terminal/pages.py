"""Pages that goldens are made of: English and Chinese, every kind of block, scripts that are hard to set."""

from __future__ import annotations

from core.document import Address, Choice, Choices, Document, Fold, Items, Picture, Text, Title, Utterance

BRIEFING_EN = Document(
    (
        Title("Nora Feld", "PREVIOUSLY ON", "three days ago"),
        Text("You were weighing the **attic flat** against the one by the canal, and wanted to sleep on it."),
        Items(("call the agent about the deposit", "ask Jonas for the tax papers before Friday noon"), "Still open"),
        Choices(
            (
                Choice("Go on about the flat", say="Let's go on about the flat."),
                Choice("View full previously", Address("briefing", "20260306-1810")),
            )
        ),
    ),
    Address("briefing"),
)
BRIEFING_ZH = Document(
    (
        Title("林小雨", "前情提要", "三天前"),
        Text("上次你在比较**阁楼的公寓**和运河边的那一套，打算睡一觉再决定。房东说：“押金可以分两次付（先付一半）。”"),
        Items(("给中介打电话确认押金", "周五中午之前向阿杰要报税材料，顺便问一下去年的那份复印件放在哪里"), "还没了结"),
        Choices(
            (
                Choice("接着聊公寓", say="接着聊公寓吧。"),
                Choice("查看完整前情", Address("briefing", "20260306-1810")),
            )
        ),
    ),
    Address("briefing"),
)
TIMELINE_EN = Document(
    (
        Title("March 2026", note="31 days with talk"),
        Choices(tuple(Choice(f"{day} March", Address("timeline", f"2026-03-{day:02d}")) for day in range(1, 32))),
    ),
    Address("timeline", "2026-03"),
)
SLICE_ZH = Document(
    (
        Title("新加坡的公寓", note="2026年3月9日 18:42"),
        Utterance("你", "18:42", "我看中了一套 👩‍👩‍👧‍👦 全家都喜欢的公寓。\n但是租金有点贵。"),
        Utterance(
            "Previously",
            "18:43",
            "上次你说预算是 **2500**。\n\n| 公寓 | 租金 |\n|---|---|\n| 阁楼 | 2400 |\n| 运河边 | 2900 |",
        ),
        Fold("思考了 14 秒", "先看预算，再看位置。"),
    ),
    Address("slice", "20260309-1842"),
)
HARD_EN = Document(
    (
        Title("Hard to set \x1b[31mred", note="מה שלומך اليوم"),
        Text(
            "A fence keeps its lines, however long they are:\n\n```python\ndef remember(words: str) -> str:\n"
            "\treturn words  # a comment that is longer than the width of this terminal\n```\n\n"
            "1. a numbered item that is long enough to need a second line\n"
            "> a quotation that is long enough to need a second line, too\n\n"
            "שלום, זה טקסט מימין לשמאל שהוא ארוך מספיק כדי להישבר\n\n"
            "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft\n\n"
            "👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈\n\n"
            "harmless: \x1b]8;;https://evil.example\x07here\x1b]8;;\x07, \rover, \u202egnp.exe, \x9b2J\u2028end"
        ),
        Items(("one\ntwo",)),
    )
)
COUNTS = {"2026-01-31": 1, "2026-02-10": 2, "2026-03-01": 4, "2026-03-09": 8, "2026-03-16": 3}
DAYS = tuple(
    (f"2026-{month:02}-{day:02}", 0) for month, last in ((1, 31), (2, 28), (3, 16)) for day in range(1, last + 1)
)
HEAT = tuple((day, COUNTS.get(day, 0)) for day, _ in DAYS)
YEAR_EN = Document(
    (
        Title("2026", "Timeline", "18 slices"),
        Picture(HEAT, "18 slices · days with talk: 5 · fullest day: 2026-03-09 Mon (8)"),
        Choices((Choice("Mar · 15", Address("timeline", "2026-03")),)),
    ),
    Address("timeline", "2026"),
)
YEAR_ZH = Document(
    (
        Title("2026", "时间线", "18 个切片"),
        Picture(HEAT, "18 个切片 · 聊过的日子：5 · 聊得最多的一天：2026-03-09 周一（8）"),
        Choices((Choice("3月 · 15", Address("timeline", "2026-03")),)),
    ),
    Address("timeline", "2026"),
)
PAGES = {
    "year-en": YEAR_EN,
    "year-zh": YEAR_ZH,
    "briefing-en": BRIEFING_EN,
    "briefing-zh": BRIEFING_ZH,
    "timeline-en": TIMELINE_EN,
    "slice-zh": SLICE_ZH,
    "hard-en": HARD_EN,
}
