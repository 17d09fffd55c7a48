"""Fifty answers as models write them at their worst: the twenty of the reference, and thirty of our own."""
# ruff: noqa: E501 - an answer is easier to compare with its golden file when it stands in one line

from __future__ import annotations

FAMILY, FLAG, ROCKET = "👩‍👩‍👧‍👦", "🇸🇬", "👨🏽‍🚀"
CODE = "\n".join(f"    if words[{n}] == 'remember {n}':\n        keep(words[{n}], at={n})" for n in range(1, 200))

TWENTY = {
    "01-unclosed-fence": "Here it is:\n\n```python\ndef keep(words: list[str]) -> None:\n    print(words)  # <all>\n",
    "02-nested-soup": "**bold *both* __more__** _it **b `c` d** it_ ***three*** ~~gone **b** gone~~ a_b_c 2*3*4 **a*b**c*",
    "03-table-with-pipe": "Look:\n\n| Sign | Meaning |\n|:--|--:|\n| `a|b` | either |\n| **x** | y \\| z |\n\nDone.",
    "04-links": (
        "[wiki](https://en.wikipedia.org/wiki/Door_(film)) [bad](javascript:alert(1)) [rel](./notes.md) [](https://e.x/a) "
        "[none]() ![pic](https://e.x/p.png) [data](data:text/html,hi) [mail](mailto:a@b.org) [call](tel:+4930123) "
        "<https://auto.link/x?y=1&z=2> <me@b.org>"
    ),
    "05-raw-html": (
        "<div>Hi <b>x</b> a < b</div>\n\nvector<int> and Map<String, List<T>> &lt;kept&gt; &amp;\n<br/>\n"
        "<details>\n<summary>More</summary>\n\nInside **bold**\n\n</details>\n<!-- a note -->\nFrom: Chad <c@x.com>"
    ),
    "06-emoji-rtl": f"{FAMILY} **{FLAG}{FLAG}** {ROCKET} 𝕳𝖊𝖑𝖑𝖔 e\u0301 שלום **עולם** مرحبا *بالعالم* 1️⃣",
    "07-cjk": "这是**重要：**的内容，**“引号”**后面。他说**（注意）**这里，再看**《红楼梦》**第三回。これは**大事**です。**重點！**",
    "08-long-code": f"Before.\n\n```python\n{CODE[:5900]}\n```\n\nAfter.",
    "09-latex-prices": (
        "It costs $5 to $10, or $10_000 for both. Euler: $e^{i\\pi}+1=0$ and \\(a^2+b^2\\).\n\n\\[\\int_0^\\infty x\\,dx\\]"
        "\n\nBetween $20 and$30."
    ),
    "10-nested-lists": (
        "1. one\n   - a\n     - deep\n   - b\n\n     more of b\n2. two\n   > quoted in a list\n   > twice\n3. three\n\n"
        "- [x] done\n- [ ] open\n  - [ ] below\n\n* star\n+ plus"
    ),
    "11-special-soup": "_*[]()~`>#+-=|{}.!\\ and \\* \\_ a_b * c * d ** e ** __f__ #tag @name /slice 100% ^up^ ~sub~ a||b||c",
    "12-nested-quotes": "> one\n> > two\n> > > three\n>\n> back **bold**\n\n"
    + "\n".join(f"> line {n}" for n in range(1, 41)),
    "13-headings": (
        "# Head `code`\n## Second\n### Third *it*\n###### Sixth\nSet\n===\n\n---\n\nText[^1] and[^note].\n\n[^1]: The first.\n"
        "[^note]: Another, with **bold**.\n\n![a photo](https://e.x/a.png)"
    ),
    "14-all-unclosed": "**bold *it `code [link](https://e.x ~~gone __u\n\n> quote **b\n- item *i\n```\ncode **b",
    "15-empty": "\x00\x07 \u200b\n\n\x1b[31m",
    "16-emoji-flood": "😀" * 3000,
    "17-long-bold": f"**{'remember this well ' * 300}end**",
    "18-surrogate": "before \ud83d after \udc00 **bold \ud800**",
    "19-mermaid": "```mermaid\ngraph TD\n  A[Flat] -->|rent| B(Bank)\n```",
    "20-think-tags": '<think>\nThe person wants <b>.\n</think>\n\nYes.\n<tool_call>{"name": "x"}</tool_call>',
}
OWN = {
    "21-generics": "Use `List<T>` or List<T>, Promise<void>, std::map<std::string, std::vector<int>>, <T extends U>.",
    "22-years-as-list": "2019. We moved.\n2021. We came back.\n2021. And stayed.\n\n7. seven\n8. eight\n\n1. a\n1. b\n1. c",
    "23-fence-in-list": "1. First:\n\n   ```sh\n   cd ~/x && ls <dir>\n   ```\n\n2. Then:\n   ```py\n   x = 1\n       y = 2\n   ```\n3. End",
    "24-fence-in-quote": "> Said:\n>\n> ```js\n> let a = b < c;\n> ```\n>\n> end",
    "25-wide-table": (
        "| Flat | Rent | Rooms | Way to work | Remark |\n|---|---|---|---|---|\n"
        "| Attic | 2400 | 2 | 20 min | **sunny** |\n| Canal | | 3 | 35 min | [plan](https://e.x/plan) |\n"
    ),
    "26-cjk-table": "| 公寓 | 租金 |\n|---|---|\n| 阁楼 | 2400 |\n| 运河边那一套 | 2900 |\n\n以上。",
    "27-table-ragged": "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\nnot a row",
    "28-table-in-list": "- rents:\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n",
    "29-two-hundred-entities": " ".join(f"**b{n}** *i{n}*" for n in range(100)),
    "30-code-to-file": f"Whole:\n\n```python\n{CODE[:6500]}\n```\n\nThat was it.",
    "31-link-tricks": (
        "[https://bank.example](https://evil.example/x) [click\u202egpj.exe](https://e.x) [a](HTTPS://E.X/Up) "
        "[b](vbscript:x) [c](//e.x/y) [d](ftp://e.x) [e](file:///etc/passwd) [f](tg://user?id=1) [g]( https://e.x/ 'title' )"
    ),
    "32-unknown-links": "See https://made.up/page, (https://known.example/a) and [this](https://made.up/other/). www.made.up too",
    "33-file-names": "Look into README.md, core/slices/read.py and run.sh; not v1.2 or e.g. this. Visit example.com.",
    "34-reference-links": 'A [ref][1] and [another].\n\n[1]: https://e.x/1\n[another]: https://e.x/2 "Title"\n[Note]: this\n[unused]: https://e.x/3',
    "35-hard-breaks": "one  \ntwo\\\nthree\nfour\r\nfive\rsix",
    "36-entities": "&lt;b&gt; &copy; &#x202e;evil &#0; &nbsp;x &notathing;",
    "37-indented-code": "Run:\n\n    make <target> **now**\n    ls || true\n\nand go.",
    "38-backticks": "``a ` b`` ` `` ` `x``y` ```inline``` `<b>` `**not bold**` `a|b`",
    "39-zalgo": "Z" + "\u0301\u0327\u0310" * 30 + "algo **n" + "\u0303" * 5 + "**\u0301 end",
    "40-flags-cut": FLAG * 1100,
    "41-families-cut": FAMILY * 400,
    "42-hangul": "**한국어：**입니다. " + "\u1112\u1161\u11ab" * 5 + " **강조**했다",
    "43-one-long-word": "x" * 9000,
    "44-paragraphs": "\n\n".join(f"Paragraph {n}. " + "Words of a long answer go on. " * 12 for n in range(1, 25)),
    "45-long-fence-parts": "```go\n" + "\n".join(f"\tline({n}) // {'.' * 40}" for n in range(1, 90)) + "\n```",
    "46-emphasis-cjk-edge": "价格是**￥2,500**（含税），**不含**水电。**注意：**`x`。**a**中**b**文 *斜体*字 ~~旧的：~~新的 5*（3+2）*4",
    "47-quote-then-text": "> said\nlazy\n\nafter\n> again",
    "48-spaces": "   leading\n\n\n\n\nmany\n\n&nbsp;\n\ntrailing   \n\n\n",
    "49-html-page": "<html>\n<body>\n"
    + "\n".join(f"<p>Line {n}</p>" for n in range(20))
    + "\n```\n<raw>\n```\n</body>\n</html>",
    "50-mixed-languages": "**Note:**text and 中文**“quoted”**text, *“a”*b; _“x”_ and 「**強調**」。**A**：**B**",
}
NASTY = {**TWENTY, **OWN}
UNKNOWN = {"32-unknown-links": frozenset({"https://made.up/page", "http://made.up/other", "www.made.up"})}
