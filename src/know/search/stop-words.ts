/**
 * English words that nearly every text holds and that say nothing of its subject, as the analyser leaves them: in lower case, without
 * apostrophes.
 */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again against all also am an and any are arent as at be because been before being below between both but by " +
    "can cannot cant could couldnt did didnt do does doesnt doing dont down during each few for from further had hadnt has hasnt have " +
    "havent having he hed hell her here heres hers herself hes him himself his how hows i id if ill im in into is isnt it its itself " +
    "ive just let lets me more most my myself no nor not of off on once only or other our ours ourselves out over own same shall she " +
    "shes should shouldnt so some such than that thats the their theirs them themselves then there theres these they theyd theyll " +
    "theyre theyve this those through to too under until up us very was wasnt we wed were werent weve what whats when whens where " +
    "wheres which while who whom whos whose why whys will with wont would wouldnt you youd youll your youre yours yourself yourselves youve"
  ).split(" "),
);

/** Says whether a query does without a word; `word` is in lower case without apostrophes. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
