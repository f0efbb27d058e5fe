import type { Guard } from "./guard.ts";

const linkPattern = /\b(?:https?|ftp):\/\/([^\s/?#"'<>)]{1,255})/gi;
const otherSchemes = /\b(?:javascript|data|vbscript|file):/i;

/** Texts longer than the capability allows block; so do links to hosts that it does not name. */
export const lengthAndLinksGuard: Guard = {
  name: "length_and_links",
  rule: async ({ texts, deps }) => {
    const { maxTextLength, linkHosts } = deps.capability.output;
    if (texts.some((text) => text.length > maxTextLength)) return { kind: "block", reason: `a text is longer than ${maxTextLength} characters` };
    if (texts.some((text) => otherSchemes.test(text))) return { kind: "block", reason: "the output holds a link that runs code or carries data" };
    const hosts = texts.flatMap((text) => [...text.matchAll(linkPattern)].map((match) => hostOf(match[1] ?? "")));
    return hosts.every((host) => linkHosts.includes(host)) ? { kind: "pass" } : { kind: "block", reason: "a link points to a host that is not allowed" };
  },
};

/** The host of an authority: what stands before an `@` is a trick, what follows `:` is a port. */
function hostOf(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1).split(":")[0]?.toLowerCase() ?? "";
}
