//! Made texts of several languages: words of the first articles of the Universal Declaration of Human Rights in a
//! random order that is the same in every run.

/// What texts of a language are made of.
pub struct Language {
    pub name: &'static str,
    /// What stands between two words.
    space: &'static str,
    words: &'static str,
}

/// Bytes of a document, and of all documents of a language.
const DOCUMENT: usize = 3000;
const ALL: usize = 1 << 20;

/// Scripts and habits that readers meet: ASCII; letters of two bytes; signs of typography between letters; joiners that
/// show (Persian); marks that are letters (Hindi, Thai); scripts without spaces.
pub const LANGUAGES: [Language; 12] = [
    Language {
        name: "ascii",
        space: " ",
        words: "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. No one shall be subjected to arbitrary interference with his privacy, family, home or correspondence, nor to attacks upon his honour and reputation.",
    },
    Language {
        name: "english, typographic",
        space: " ",
        words: "“All human beings are born free and equal in dignity and rights.” They’re endowed with reason and conscience – and should act towards one another’s rights in a spirit of brotherhood. Everyone’s home, family and correspondence isn’t to be interfered with; nobody’s honour or reputation shall be attacked.",
    },
    Language {
        name: "german",
        space: " ",
        words: "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen. „Niemand darf willkürlichen Eingriffen in sein Privatleben, seine Familie, seine Wohnung und seinen Schriftverkehr“ oder Beeinträchtigungen seiner Ehre und seines Rufes ausgesetzt werden.",
    },
    Language {
        name: "french, typographic",
        space: " ",
        words: "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Nul ne sera l’objet d’immixtions arbitraires dans sa vie privée, sa famille, son domicile ou sa correspondance, ni d’atteintes à son honneur et à sa réputation : c’est l’article 12.",
    },
    Language {
        name: "russian",
        space: " ",
        words: "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. «Никто не может подвергаться произвольному вмешательству в его личную и семейную жизнь» — ни посягательствам на неприкосновенность его жилища, тайну его корреспонденции или на его честь и репутацию.",
    },
    Language {
        name: "arabic",
        space: " ",
        words: "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء. لا يعرض أحد لتدخل تعسفي في حياته الخاصة أو أسرته أو مسكنه أو مراسلاته أو لحملات على شرفه وسمعته، ولكل شخص الحق في حماية القانون.",
    },
    Language {
        name: "persian, joiners",
        space: " ",
        words: "تمام افراد بشر آزاد به دنیا می\u{200c}آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان می\u{200c}باشند و باید نسبت به یکدیگر با روح برادری رفتار کنند. احدی در زندگی خصوصی، امور خانوادگی، اقامتگاه یا مکاتبات خود نباید مورد مداخله\u{200c}های خودسرانه واقع شود.",
    },
    Language {
        name: "hindi",
        space: " ",
        words: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए। किसी व्यक्ति की एकान्तता, परिवार, घर या पत्रव्यवहार के प्रति कोई मनमाना हस्तक्षेप न किया जाएगा।",
    },
    Language {
        name: "korean",
        space: " ",
        words: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. 어느 누구도 그의 사생활, 가정, 주거 또는 통신에 대하여 자의적인 간섭을 받지 않는다.",
    },
    Language {
        name: "thai",
        space: "",
        words: "มนุษย์ทั้งหลาย เกิดมามีอิสระ และเสมอภาคกัน ในเกียรติศักดิ์ และสิทธิ ต่างมีเหตุผล และมโนธรรม และควรปฏิบัติ ต่อกัน ด้วยเจตนารมณ์ แห่งภราดรภาพ",
    },
    Language {
        name: "chinese",
        space: "",
        words: "人人 生而 自由 ， 在 尊严 和 权利 上 一律 平等 。 他们 赋有 理性 和 良心 ， 并 应 以 兄弟 关系 的 精神 相 对待 。 任何人 的 私生活 、 家庭 、 住宅 和 通信 不得 任意 干涉 ， 他的 “荣誉” 和 名誉 不得 加以 攻击 。",
    },
    Language {
        name: "japanese",
        space: "",
        words: "すべての 人間は 、 生まれながらにして 自由であり 、 かつ 、 尊厳と 権利とについて 平等である 。 人間は 、 理性と 良心とを 授けられており 、 互いに 同胞の 精神をもって 行動しなければ ならない 。 プライバシー 、 「家族」 、 家庭 もしくは 通信に 対して",
    },
];

impl Language {
    /// Its documents.
    pub fn texts(&self) -> Vec<String> {
        let words: Vec<_> = self.words.split(' ').collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut texts = Vec::new();
        for _ in 0..ALL / DOCUMENT {
            let mut text = String::new();
            while text.len() < DOCUMENT {
                // Marsaglia's xorshift.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                text.push_str(words[usize::try_from(state >> 33).unwrap_or(0) % words.len()]);
                text.push_str(self.space);
            }
            texts.push(text);
        }
        texts
    }
}
