"""Large cities that no time zone is named after, in both languages: the tz database has one city a zone."""

from __future__ import annotations

from typing import Final

CITIES: Final[dict[str, str]] = {
    "Africa/Cairo": "Alexandria 亚历山大",
    "Africa/Johannesburg": "Cape Town 开普敦, Durban 德班, Pretoria 比勒陀利亚",
    "Africa/Lagos": "Abuja 阿布贾, Kano 卡诺",
    "Africa/Casablanca": "Rabat 拉巴特, Marrakesh 马拉喀什, Fes 非斯",
    "America/Chicago": "Houston 休斯敦, Dallas 达拉斯, Austin 奥斯汀, San Antonio 圣安东尼奥, New Orleans 新奥尔良, "
    "Minneapolis 明尼阿波利斯, St. Louis 圣路易斯, Memphis 孟菲斯, Nashville 纳什维尔, Kansas City 堪萨斯城, "
    "Milwaukee 密尔沃基",
    "America/Denver": "Salt Lake City 盐湖城, Albuquerque 阿尔伯克基, Boulder 博尔德, El Paso 埃尔帕索",
    "America/Edmonton": "Calgary 卡尔加里",
    "America/Los_Angeles": "San Francisco 旧金山, Seattle 西雅图, San Diego 圣迭戈, Portland 波特兰, "
    "Las Vegas 拉斯维加斯, San Jose 圣何塞, Sacramento 萨克拉门托, Oakland 奥克兰（加州）, Silicon Valley 硅谷",
    "America/Mexico_City": "Guadalajara 瓜达拉哈拉, Puebla 普埃布拉",
    "America/New_York": "Boston 波士顿, Washington DC 华盛顿, Philadelphia 费城, Miami 迈阿密, Atlanta 亚特兰大, "
    "Pittsburgh 匹兹堡, Orlando 奥兰多, Charlotte 夏洛特, Cleveland 克利夫兰, Columbus 哥伦布, Baltimore 巴尔的摩, "
    "Buffalo 布法罗",
    "America/Sao_Paulo": "Rio de Janeiro 里约热内卢, Brasília 巴西利亚, Porto Alegre 阿雷格里港, "
    "Belo Horizonte 贝洛奥里藏特",
    "America/Toronto": "Montreal 蒙特利尔, Ottawa 渥太华, Quebec 魁北克",
    "Asia/Dubai": "Abu Dhabi 阿布扎比",
    "Asia/Ho_Chi_Minh": "Hanoi 河内, Saigon 西贡, Da Nang 岘港",
    "Asia/Jakarta": "Bandung 万隆, Surabaya 泗水",
    "Asia/Jerusalem": "Tel Aviv 特拉维夫, Haifa 海法",
    "Asia/Karachi": "Lahore 拉合尔, Islamabad 伊斯兰堡",
    "Asia/Kolkata": "Delhi 德里, New Delhi 新德里, Mumbai 孟买, Bangalore 班加罗尔, Bengaluru, Chennai 金奈, "
    "Hyderabad 海得拉巴, Pune 浦那, Ahmedabad 艾哈迈达巴德",
    "Asia/Kuala_Lumpur": "Penang 槟城, Johor Bahru 新山",
    "Asia/Makassar": "Bali 巴厘岛, Denpasar 登巴萨",
    "Asia/Riyadh": "Jeddah 吉达, Mecca 麦加",
    "Asia/Seoul": "Busan 釜山, Incheon 仁川, Jeju 济州",
    "Asia/Shanghai": "Beijing 北京, Shenzhen 深圳, Guangzhou 广州, Hangzhou 杭州, Chengdu 成都, Chongqing 重庆, "
    "Wuhan 武汉, Xi'an 西安, Nanjing 南京, Suzhou 苏州, Tianjin 天津, Qingdao 青岛, Dalian 大连, Shenyang 沈阳, "
    "Harbin 哈尔滨, Changchun 长春, Jinan 济南, Zhengzhou 郑州, Changsha 长沙, Kunming 昆明, Xiamen 厦门, "
    "Fuzhou 福州, Ningbo 宁波, Hefei 合肥, Nanchang 南昌, Guiyang 贵阳, Nanning 南宁, Haikou 海口, Sanya 三亚, "
    "Lanzhou 兰州, Xining 西宁, Yinchuan 银川, Hohhot 呼和浩特, Taiyuan 太原, Shijiazhuang 石家庄, Lhasa 拉萨, "
    "Wuxi 无锡, Dongguan 东莞, Foshan 佛山, Zhuhai 珠海, Wenzhou 温州, Guilin 桂林, Lijiang 丽江, Dali 大理",
    "Asia/Taipei": "Kaohsiung 高雄, Taichung 台中, Tainan 台南, 臺北, 高雄",
    "Asia/Tokyo": "Osaka 大阪, Kyoto 京都, Sapporo 札幌, Fukuoka 福冈, Nagoya 名古屋, Yokohama 横滨, "
    "Hiroshima 广岛, Kobe 神户, Okinawa 冲绳",
    "Australia/Brisbane": "Gold Coast 黄金海岸, Cairns 凯恩斯",
    "Australia/Sydney": "Canberra 堪培拉, Newcastle 纽卡斯尔",
    "Europe/Amsterdam": "Rotterdam 鹿特丹, The Hague 海牙, Utrecht 乌得勒支, Eindhoven 埃因霍温",
    "Europe/Berlin": "Munich 慕尼黑 München, Hamburg 汉堡, Frankfurt 法兰克福, Cologne 科隆 Köln, "
    "Stuttgart 斯图加特, Düsseldorf 杜塞尔多夫, Leipzig 莱比锡, Dresden 德累斯顿, Nuremberg 纽伦堡 Nürnberg, "
    "Hanover 汉诺威, Bremen 不来梅, Heidelberg 海德堡, Freiburg 弗赖堡",
    "Europe/Brussels": "Antwerp 安特卫普, Ghent 根特",
    "Europe/Istanbul": "Ankara 安卡拉, Izmir 伊兹密尔",
    "Europe/Kyiv": "Lviv 利沃夫, Odesa 敖德萨, Kharkiv 哈尔科夫",
    "Europe/Lisbon": "Porto 波尔图, Coimbra 科英布拉, Braga 布拉加, Faro 法鲁",
    "Europe/London": "Manchester 曼彻斯特, Birmingham 伯明翰, Edinburgh 爱丁堡, Glasgow 格拉斯哥, Liverpool 利物浦, "
    "Bristol 布里斯托尔, Oxford 牛津, Cambridge 剑桥, Leeds 利兹, Cardiff 卡迪夫",
    "Europe/Madrid": "Barcelona 巴塞罗那, Valencia 瓦伦西亚, Seville 塞维利亚, Málaga 马拉加, Bilbao 毕尔巴鄂",
    "Europe/Moscow": "Saint Petersburg 圣彼得堡, Kazan 喀山",
    "Europe/Paris": "Lyon 里昂, Marseille 马赛, Nice 尼斯, Toulouse 图卢兹, Bordeaux 波尔多, Strasbourg 斯特拉斯堡, "
    "Lille 里尔",
    "Europe/Prague": "Brno 布尔诺",
    "Europe/Rome": "Milan 米兰 Milano, Naples 那不勒斯, Turin 都灵, Florence 佛罗伦萨, Venice 威尼斯, Bologna 博洛尼亚",
    "Europe/Stockholm": "Gothenburg 哥德堡, Malmö 马尔默",
    "Europe/Vienna": "Graz 格拉茨, Salzburg 萨尔茨堡",
    "Europe/Warsaw": "Kraków 克拉科夫, Gdańsk 格但斯克, Wrocław 弗罗茨瓦夫",
    "Europe/Zurich": "Geneva 日内瓦 Genève, Basel 巴塞尔, Bern 伯尔尼, Lausanne 洛桑",
    "Pacific/Auckland": "Wellington 惠灵顿, Christchurch 基督城",
}
"""The names by zone, apart by commas; a name in Chinese follows the one in English."""
