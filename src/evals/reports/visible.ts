/** What steers a terminal, hides text, turns it around, or is no character at all. Joiners stay: scripts and emoji need them. */
const steering = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** A text of a case or of a model as a person can read all of it: what would not be seen stands as its code point, `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(steering, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** As `visible`, in one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}

/** The first part of a text that is too long to be shown whole, with how much was left out. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a character.
  const end = text.codePointAt(most - 1) === text.charCodeAt(most - 1) ? most : most - 1;
  return `${text.slice(0, end)} ... (${text.length - end} characters more)`;
}
