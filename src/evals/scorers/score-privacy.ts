import { plain, required, type Scorer } from "./scoring.ts";

/**
 * Privacy: of what a model's provider was handed, that none of the values is in it that the case names as raw. Numbers are looked for
 * without what separates their digits. How many are left is told, never which. Where a reply came to a request that is not known, nobody
 * can say that nothing raw was in it.
 */
export const scorePrivacy: Scorer = ({ one }, { sent, unknownSent, outcome }) => {
  const { raw } = one.expectations;
  if (raw.length === 0) return [];
  const texts = sent.map((text) => ({ text: plain(text), digits: digitsOf(text) }));
  const left = raw.filter((value) => texts.some((text) => stands(value, text)));
  const isUnknown = unknownSent > 0 || (sent.length === 0 && outcome.tokens.input > 0);
  if (left.length === 0 && isUnknown)
    return [required("privacy.nothing_raw_sent", null, "a model was asked, and what it was sent is not known")];
  const why = `expected nothing of ${raw.length} raw values to be sent, and ${left.length} of them were`;
  return [required("privacy.nothing_raw_sent", left.length === 0 ? 1 : 0, why)];
};

function stands(value: string, { text, digits }: { readonly text: string; readonly digits: string }): boolean {
  if (text.includes(plain(value))) return true;
  const own = digitsOf(value);
  // A short run of digits occurs by chance, and a value with letters is more than its digits.
  return own.length >= 7 && /^[\d\s()+./-]+$/.test(value) && digits.includes(own);
}

function digitsOf(text: string): string {
  return text.replace(/(?<=\d)[\s()./-]+(?=\d)/g, "");
}
