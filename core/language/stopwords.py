"""Words that say little about what a text is about, and words with which people ask about the past."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = """
a about above after again all also am an and any anybody anyone anything are aren't as at be been being but by can
can't cannot cant could couldn't d did didn't didnt do does doesn't doesnt doing don't dont down during each either
else ever every for from get gets getting got had hadn't has hasn't have haven't having he he'd he'll he's her here
hers herself him himself his how how's i i'd i'll i'm i've id if im in into is isn't isnt it it's its itself ive just
let let's like ll m many may me might mine more most much must my myself neither no nor not of off oh ok okay on once
one only onto or other our ours ourselves out over own please re really s same shall she she's should shouldn't since
so some somebody someone something such t than that that's thats the their theirs them themselves then there there's
these they they'd they'll they're they've this those through to too under until up upon us ve very was wasn't we we'd
we'll we're we've well were weren't what what's whatever whats when when's where where's which while who who's whom
whose why why's will with won't wont would wouldn't yes yet you you'd you'll you're you've your yours yourself
"""
# Only words that are no content word of English: texts of several languages share one index.
_EUROPEAN: Final = """
der das den dem des ein eine einen einem einer eines und oder aber nicht ich du er sie es wir ihr mich mir dich dir
sich mein meine meinen meinem meiner dein deine ist sind waren wird werden habe haben hatte hatten wie wer wann warum
auf aus bei mit nach seit von zu zum zur im am beim vom dass weil wenn auch noch schon nur sehr mal da dann hier dort
le la les un une des du de et ou mais ne pas je tu il elle nous vous ils elles mon ma mes ton ta tes ses ce cet cette
ces est sont suis etait ai avait avec pour dans sur qui que quoi quand comment pourquoi au aux
el los las una unos unas y o pero yo ella nosotros ellos mi mis tu tus su sus es esta estoy fue era he ha habia con
por para en que quien cuando donde como lo al del se te nos
gli uno una e ma non io lui lei noi voi loro mio mia tuo tua suo sua sono era ho abbiamo di da nel nella chi che dove
quando come perche ao os um uma uns umas nao eu ele ela voce eles meu minha seu sua foi estava tenho com por para em
quem onde het een niet ik jij hij zij wij mijn jouw zijn was heb hebt heeft met voor naar van op te wie wat waar
wanneer hoe och att det som jag inte den till av
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня о из ему
"""
_ASKING: Final = """
remember remind recall tell say talk speak mention discuss know think ask chat conversation previously earlier before
ago last time recent thing stuff find show look want need name call day date back exact exactly conversation message
go come take make give use try lately bit lot kind sort happen still now current currently first latest newest anymore
suggest recommend advise propose explain answer plan idea topic matter detail information info news story situation
erinnerst erinnern sagte gesagt erzahlt souviens dit parle recuerdas dije hable ricordi detto
"""

STOPWORDS: Final = frozenset((_ENGLISH + _EUROPEAN).split())
ASKING: Final = frozenset(_ASKING.split())
"""English and European words that frame a question about the past; as keys of `stem` in `core.language.tokens`."""

_CHINESE: Final = """
有没有 是不是 要不要 能不能 会不会 记不记得 还记得 记得 记不记 告诉我 告诉 提醒我 提醒 提到过 提到
提过 说过 聊过 讲过 谈过 问过 谈到 聊到 说到 讲到 什么时候 什么样 什么 为什么 为何 怎么样 怎么
怎样 如何 哪一天 哪天 哪一家 哪家 哪里 哪儿 哪个 哪些 哪位 哪种 哪 谁 几点 几号 几月 几个 几次
几天 几 多少钱 多少 多久 多大 多长 上次 上回 之前 以前 以后 之后 当时 那时候 那时 那天 那次 那个 那家
那位 那些 那 这个 这次 这些 这 后来 最后 最终 最近 目前 现在 如今 眼下 最新 到底 究竟 我们
咱们 你们 他们 她们 我 你 您 他 她 它 自己 的话 的时候 时候 的 了 吗 呢 吧 啊 呀 嘛 么 着
过 地 得 是 在 有 没 不 也 都 就 还 又 再 很 把 被 给 跟 和 与 及 对 从 向 到 让 叫
请 帮我 找一下 找找 查一下 查查 看看 一下 想 说 聊 讲 谈 问 名字 事情 事儿 东西 内容 关于
有关 话题 一个 一些 一共 总共 可以 应该 需要 打算 决定
"""
CJK_ASKING: Final = tuple(sorted(_CHINESE.split(), key=len, reverse=True))
"""Chinese words that frame a question about the past, longest first; a query is cut at them before pairs are made."""
