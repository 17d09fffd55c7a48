"""What is said in the week, in English and in Chinese."""

from __future__ import annotations

from tests.adapters.telegram.week import Tale

LIST = ("paper", "ink", "rollers", "rags", "the key", "the van", "straps", "a level", "tea", "Hanna's number") * 3

EN = Tale(
    said={
        "hello": "Morning. I start in Kassel today.",
        "more": "Platform 7, and the train is late.",
        "five": "Remind yourself: Dr. Wolf at five.",
        "six": "Remind yourself: Dr. Wolf at six.",
        "seven": "Remind yourself: Dr. Wolf at seven.",
        "album": "The workshop, before and after",
        "forward": "We can lend you the big press until June. Hanna",
        "comment": "From Hanna. Do I take it?",
        "quote": "How late was it in the end?",
        "quoted": "the train is late",
        "short": "Took it. It weighs 400 kilos.",
        "down": "And the floor holds 500.",
        "hook": "Thursday. Ink arrived.",
        "long": "Write me the whole list for Saturday.",
        "next": "Short version, please.",
        "back": "Back. Where was I with the press?",
    },
    answers={
        "": "That stood so: asked, and answered the same day.",
        "late.": "Kassel, then. Fifteen minutes more for coffee.",
        "five": "Noted: Dr. Wolf at five.",
        "six": "Noted: Dr. Wolf at six.",
        "before and after": "Two pictures, kept with today. I cannot see them, but the caption I can read.",
        "Do I take it": "Hanna lends it until June, so yes: **ask what it weighs** before you say so.",
        "in the end": "You only said that it was late, not by how much.",
        "400 kilos": "400 kilos is a floor question. Ask the landlord.",
        "holds 500": "Then it stands. 100 kilos to spare.",
        "Ink": "Good. Black first, it dries slowest.",
        "whole list": "\n\n".join(
            f"{n}. {what}, and whatever belongs to it"
            for n, what in enumerate(
                ("paper", "ink", "rollers", "rags", "the key", "the van", "straps", "a level", "tea", "Hanna's number")
                * 3,
                1,
            )
        ),
        "Short version": "Paper, ink, the key, the van.",
        "with the press": "Hanna lends you the press until June. It weighs 400 kilos and the floor holds 500.",
        "continue": "The press, then. What is left is the van.",
    },
    recalls={"with the press": "press floor kilos"},
    marks=[
        {"focus": "Starting in Kassel", "summary": "The train was late.", "open_loops": ["Dr. Wolf at six"]},
        {"focus": "Dr. Wolf", "summary": "An appointment.", "open_loops": []},
        {
            "focus": "The workshop and Hanna's press",
            "summary": "Hanna lends a press.",
            "open_loops": ["Ask its weight"],
        },
        {"focus": "The press is taken", "summary": "400 kilos; the floor holds 500.", "open_loops": []},
        {"focus": "Ink", "summary": "Ink arrived.", "open_loops": []},
        {"focus": "The list for Saturday", "summary": "A short list.", "open_loops": ["Rent the van", "Fetch the key"]},
    ],
    zone="Europe/Berlin",
)

ZH = Tale(
    said={
        "hello": "早。今天去杭州报到。",
        "more": "7 站台，车晚点了。",
        "five": "记一下：五点见吴医生。",
        "six": "记一下：六点见吴医生。",
        "seven": "记一下：七点见吴医生。",
        "album": "茶室，收拾前和收拾后",
        "forward": "那台大烤炉可以借你用到六月。小雅",
        "comment": "小雅发来的。要不要借？",
        "quote": "最后晚了多久？",
        "quoted": "车晚点了",
        "short": "借了。有四百斤重。",
        "down": "地板能承五百斤。",
        "hook": "周四。茶到了。",
        "long": "把周六要带的全部列出来。",
        "next": "短一点。",
        "back": "我回来了。烤炉的事说到哪儿了？",
    },
    answers={
        "": "那件事说到这里：问过了，当天就有了答复。",
        "晚点了。": "那就杭州见。多出一刻钟，正好喝杯茶。",
        "五点": "记下了：五点见吴医生。",
        "六点": "记下了：六点见吴医生。",
        "收拾前": "两张照片，和今天的话放在一起。照片我看不见，说明我看得到。",
        "要不要借": "小雅能借到六月，那就借；**先问清楚有多重**。",
        "晚了多久": "你只说晚点了，没说晚多久。",
        "四百斤": "四百斤要看地板。问问房东。",
        "五百斤": "那就放得下，还余一百斤。",
        "茶到了": "好。先拆白茶，它最怕潮。",
        "全部列出来": "\n\n".join(
            f"{n}. {what}，还有配套的东西"
            for n, what in enumerate(
                ("纸", "茶", "杯子", "抹布", "钥匙", "货车", "绑带", "水平尺", "点心", "小雅的电话") * 3, 1
            )
        ),
        "短一点": "茶、杯子、钥匙、货车。",
        "烤炉的事": "小雅把烤炉借你到六月。重四百斤，地板能承五百斤。",
        "接着": "那就说烤炉。还差货车。",
        "继续": "那就说烤炉。还差货车。",
    },
    recalls={"烤炉的事": "烤炉 地板 四百斤"},
    marks=[
        {"focus": "去杭州报到", "summary": "车晚点了。", "open_loops": ["六点见吴医生"]},
        {"focus": "吴医生", "summary": "约了时间。", "open_loops": []},
        {"focus": "茶室和小雅的烤炉", "summary": "小雅借出烤炉。", "open_loops": ["问烤炉多重"]},
        {"focus": "烤炉借到了", "summary": "四百斤，地板能承五百斤。", "open_loops": []},
        {"focus": "茶到了", "summary": "茶到了。", "open_loops": []},
        {"focus": "周六的清单", "summary": "一份短清单。", "open_loops": ["租货车", "取钥匙"]},
    ],
    zone="Asia/Shanghai",
)

TALES = {"en": EN, "zh": ZH}
