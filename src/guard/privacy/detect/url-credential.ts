import type { Finding } from "../../../contract/privacy.ts";
import { endOfMatch } from "./pattern-row.ts";
import { type Finder, hasLetterAt } from "./reading.ts";

const userInfo = /^([^\s/?#@:"'<>]{0,128}:[^\s/?#@"'<>]{1,256})@/;
const longestUserInfo = 386;
const parameter =
  /(?<=[?&;#](?:(?:access|auth|id|refresh|session|sas|csrf|xsrf|private|client)[_-]?)?(?:token|key|secret|password|passwd|pwd|api[_-]?key|apikey|sig|signature|session|sessionid|auth|code|credential)=)[^\s&#"'<>;]{4,}/iy;

/** Finds what opens a door in a URL: `user:password@` and parameters such as `token=`. The canonical form is the value as it stands. */
export const findUrlCredentials: Finder = ({ text }) => {
  const found: Finding[] = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const start = at + 3;
    const [, value = ""] = userInfo.exec(text.slice(start, start + longestUserInfo)) ?? [];
    if (value !== "" && hasLetterAt(text, at - 1)) found.push(finding(text, { start, end: start + value.length }, "user_info"));
  }
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
    const end = endOfMatch(parameter, text, at + 1);
    if (end === null) continue;
    found.push(finding(text, { start: at + 1, end }, "parameter"));
    at = end;
  }
  return found;
};

const finding = (text: string, { start, end }: { readonly start: number; readonly end: number }, kind: string): Finding => ({
  start,
  end,
  class: "url_credential",
  kind,
  jurisdiction: null,
  canonical: text.slice(start, end),
});
