/** Forms of English words that no stemmer brings together: the base form first, then the others. */
const families = `arise arose arisen;awake awoke awoken;bear bore borne;beat beaten;become became;begin began begun;bend bent;bind bound;
bite bit bitten;bleed bled;blow blew blown;break broke broken;breed bred;bring brought;build built;burn burnt;buy bought;catch caught;
choose chose chosen;come came;creep crept;deal dealt;dig dug;draw drew drawn;dream dreamt;drink drank drunk;drive drove driven;
eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;fly flew flown flies;forbid forbade forbidden;
forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;get got gotten;give gave given;go went gone goes;grow grew grown;
hang hung;hear heard;hide hid hidden;hold held;keep kept;kneel knelt;know knew known;lay laid;lead led;leap leapt;learn learnt;
lend lent;lose lost;make made;mean meant;meet met;mistake mistook mistaken;overcome overcame;pay paid;prove proven;ride rode ridden;
ring rang rung;rise rose risen;run ran;say said;see saw seen;seek sought;sell sold;send sent;sew sewn;shake shook shaken;
shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;slide slid;speak spoke spoken;
speed sped;spend spent;spin spun;stand stood;steal stole stolen;stick stuck;strike struck;strive strove striven;swear swore sworn;
sweep swept;swim swam swum;swing swung;take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown;
understand understood;wake woke woken;wear wore worn;weave wove woven;weep wept;win won;withdraw withdrew withdrawn;write wrote written;
analysis analyses;appendix appendices;axis axes;child children;crisis crises;criterion criteria;datum data;foot feet;goose geese;
half halves;hypothesis hypotheses;index indices;knife knives;leaf leaves;life lives;loaf loaves;man men;matrix matrices;mouse mice;
person people;phenomenon phenomena;self selves;shelf shelves;thesis theses;tooth teeth;vertex vertices;wife wives;wolf wolves;woman women`;

const bases: ReadonlyMap<string, string> = new Map(
  families.split(";").flatMap((family) => {
    const [base = "", ...forms] = family.trim().split(/\s+/);
    return forms.map((form): [string, string] => [form, base]);
  }),
);

/** The base form of an English word that is not formed by rule, such as `go` of `went`; the word itself otherwise. In lower case. */
export function baseForm(word: string): string {
  return bases.get(word) ?? word;
}
