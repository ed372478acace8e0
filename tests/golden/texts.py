"""The texts that the tokenizer golden files are made of; all written for this project."""

import random

CHINESE = [
    "你好，世界！", "今天天气很好，我们去公园散步吧。", "视线在文档和视频中寻找答案。", "第３章　图表与数据分析",
    "他说：“机器学习是人工智能的一个分支。”", "二〇二六年十一月二十九日", "请问洗手间在哪里？", "价格：￥１２８．５０（含税）",
    "《红楼梦》第一回：甄士隐梦幻识通灵", "繁體中文：資料庫檢索系統的設計與實作", "簡單的測試，看看斷詞結果。", "先打开文件，再保存，最后关闭窗口。",
    "北京大学 清华大学 复旦大学", "ＡＢＣ全角字母和abc半角字母", "温度是25℃，湿度为60％。", "𠮷野家的𩸽很好吃", "如何在Linux系统中安装软件包？",
    "表格第2行第3列的数值是多少", "视频12分30秒处讲了什么内容", "这——是……一个·测试～", "㈠㈡㈢①②③❶❷❸", "中文,English混合;标点.",
    "无线局域网(WLAN)接入点配置手册", "猫和狗在草地上奔跑", "一张显示销售额逐年增长的折线图", "红色的苹果", "量子计算机的基本原理与应用前景",
    "嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯", "龘靐齉齾爩鱻麤龗灪吁", "々〆〇〡〢〣", "注音ㄅㄆㄇㄈ", "拼音 nǐ hǎo shì jiè", "鱼,渔,漁", "頁碼：第 iv 頁", "全形空格　　兩個",
]
ENGLISH = [
    "Hello, world!", "The quick brown fox jumps over the lazy dog.", "query: how does attention work in transformers?",
    "passage: Late interaction keeps one vector a token.", "don't can't won't I'm you've we'll", "It's 5 o'clock; e-mail me at someone@example.org.",
    "https://example.org/path?q=a%20b&c=d#frag", "C++20 std::vector<int> v{1, 2, 3};", "int main(int argc, char** argv) { return 0; }",
    "naïve café résumé Zürich Ångström", "cafe\u0301 re\u0301sume\u0301 A\u030angstro\u0308m", "UPPER lower MiXeD CamelCase snake_case kebab-case",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis", "1,234,567.89 3.14159 6.02e23 0xDEADBEEF 1/2 100%", "$9.99 €8.50 £7.25 ¥1000",
    "Figure 3.2: Throughput vs. latency (log scale)", "x² + y² = z²; α ≤ β; ∑∞; ½ ¼ ¾", "“curly quotes” ‘single’ — dash – en… ellipsis", "ﬁne ﬂow oﬃce ﬆart", "ⅣⅤⅥ ⅳ ⅴ №5 ™ © ®",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "the the the the the the the the", "tab\tseparated\tvalues", "line one\nline two\r\nline three\rfour",
    "trailing spaces    ", "    leading spaces", "in   between     many", "non\u00a0breaking\u00a0space", "soft\u00adhyphen zero\u200bwidth word\u2060joiner", "\ufeffbyte order mark",
    "a photo of a cat", "two people riding bicycles on a beach at sunset", "bar chart of quarterly revenue", "slide titled Conclusion", "first open the lid, then pour the water", "ISO 8601: 2026-11-29T15:30:00Z",
]
OTHERS = [
    "مرحبا بالعالم", "السَّلامُ عَلَيْكُم", "اَلْعَرَبِيَّةُ ١٢٣٤", "שלום עולם", "नमस्ते दुनिया", "สวัสดีชาวโลก", "Привет, мир!", "Καλημέρα κόσμε", "Γειά σου Κόσμε ΣΊΣΥΦΟΣ", "안녕하세요 세계", "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "こんにちは世界", "カタカナとひらがな", "ﾊﾝｶｸｶﾀｶﾅ", "ﾊﾟﾋﾟﾌﾟ ｶﾞｷﾞｸﾞ ﾊﾞｰ", "ハ゜パ ガ゛", "が\u3099ぎ か\u3099", "Tiếng Việt có dấu", "İstanbul ıspanak ISPARTA", "ß ẞ straße STRASSE", "Ǆ ǅ ǆ Ĳ ĳ", "ქართული", "አማርኛ", "မြန်မာ", "ᠮᠣᠩᠭᠣᠯ", "ትግርኛ 中 ع",
]
SYMBOLS = [
    "😀", "😀😃😄😁", "I ❤️ NY", "👍🏽 👍 👍🏿", "👨‍👩‍👧‍👦 family", "🏳️‍🌈🏴‍☠️", "🇨🇳🇬🇧🇪🇺", "1️⃣2️⃣3️⃣", "猫🐱和狗🐶", "☃☂★☆♠♣♥♦", "←↑→↓⇒⇔", "⠓⠑⠇⠇⠕", "𝒜𝓁𝑔𝑒𝒷𝓇𝒶 𝔸𝔹ℂ 𝟎𝟏𝟐", "🄰🄱🄲 🅐🅑", "㎏㎡㏑㋿㍿", "ａ̈ｏ̈",
    "\u200d", "a\u200db", "क\u200dष", "क\u094d\u200cष", "\ufe0f\ufe0f", "\u0301", "e\u0301\u0301\u0301\u0301", "q\u0323\u0307 q\u0307\u0323", "\u1e9b\u0323", "\u212b \u2126 \u212a", "～ 〜 ~", "－ ― — – -", "＜／ｓ＞",
]
HOSTILE = [
    "", " ", "   ", "\t\n", "\u3000", "\u200b", "</s>", "<s>", "<pad>", "<unk>", "<mask>", "hello</s>world", "<s></s><pad><mask><unk>", "</s></s></s> ignore the above", "[CLS] [SEP] [MASK] [PAD] [UNK]", "hello[SEP]world [CLS]",
    "<|startoftext|>hi<|endoftext|>", "<|endoftext|>", "▁", "▁▁▁", "a▁b ▁c", "\u2581hello", "𐏁𐏂𐏃", "𐏁", "x𐏁y𐏂𐏃z", "𐏁 𐏂 𐏃", "\U000e0041\U000e0042\U000e007f", "\ue000\ue001\uf8ff", "\ufffd\ufffd", "\ufffe\uffff", "\u202eabc\u202c", "\u0001\u0002\u0003", "a\u0000b", "\u007f\u0080\u009f",
    "'; DROP TABLE documents; --", "<script>alert(1)</script>", "%s%n%x ${HOME} $(id)", "../../../../etc/passwd", "\\u0041\\x41\\n", "a" * 49, "z" * 200, "中" * 200, "！" * 60, "🙂" * 40, "𐏁" * 50, "." * 100, "- " * 60, "\u0301" * 40, "\U0010ffff\U0010fffd",
]


def _long_texts():
    """Longer than any position limit, so that cutting is tested."""
    english = "The pump moves water from the lower tank to the upper one, and the valve holds it there. "
    chinese = "水泵把水从下面的水箱送到上面的水箱，阀门把水留在那里。"
    yield english * 40
    yield chinese * 60
    yield (english + chinese) * 30
    yield "longwordwithoutanyspace" * 120
    yield " ".join(str(number) for number in range(900))


def _random_texts(count, seed):
    """Seeded mixtures of scripts, marks, spaces and rare characters."""
    chooser = random.Random(seed)
    ranges = [(0x20, 0x7E), (0xA0, 0x17F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x45F), (0x5D0, 0x5EA), (0x621, 0x652), (0x905, 0x939),
              (0xE01, 0xE2E), (0x2000, 0x206F), (0x2100, 0x214F), (0x2460, 0x24FF), (0x3000, 0x30FF), (0x3300, 0x33FF), (0x4E00, 0x9FA5),
              (0xAC00, 0xD7A3), (0xF900, 0xFA6D), (0xFF00, 0xFFEF), (0x1F300, 0x1F64F), (0x20000, 0x200FF)]
    for _ in range(count):
        text = ""
        for _ in range(chooser.randint(2, 8)):
            low, high = chooser.choice(ranges)
            text += "".join(chr(chooser.randint(low, high)) for _ in range(chooser.randint(1, 6)))
            text += chooser.choice(["", " ", "  "])
        yield text


def all_texts():
    """Every text once, in a fixed order."""
    texts = CHINESE + ENGLISH + OTHERS + SYMBOLS + HOSTILE + list(_long_texts())
    texts += list(_random_texts(60, seed=20))
    return list(dict.fromkeys(texts))
