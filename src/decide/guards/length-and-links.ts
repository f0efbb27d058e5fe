import type { Guard } from "./guard.ts";

/** Browsers take any number of slashes of either kind, so `https:\\host` and `https:host` are links too. */
const linkPattern = /\b(?:https?|ftp):([\\/]*)([^\s\\/?#]*\\?)/gi;
/** Without a scheme, such as `//host.example`, where a link can begin. */
const schemelessPattern = /(?:^|[\s("'<=[\]])[\\/]{2,}([^\s\\/?#]+\.[^\s\\/?#]+)/g;
const otherSchemes = /\b(?:javascript|vbscript):|\bdata:(?:[\w.+-]{1,100}\/|[^\s,;]{0,100}[,;])|\bfile:[\\/]/i;

/** Texts longer than the capability allows block; so do links to hosts that it does not name. */
export const lengthAndLinksGuard: Guard = {
  name: "length_and_links",
  rule: ({ texts, deps }) => {
    const { maxTextLength, linkHosts } = deps.capability.output;
    if (!texts.every((text) => text.length <= maxTextLength))
      return { kind: "block", reason: `a text is longer than ${maxTextLength} characters` };
    if (texts.some((text) => otherSchemes.test(text)))
      return { kind: "block", reason: "the output holds a link that runs code or carries data" };
    const hosts = texts.flatMap((text) => authoritiesIn(text).map(hostOf));
    return hosts.every((host) => linkHosts.includes(host))
      ? { kind: "pass" }
      : { kind: "block", reason: "a link points to a host that is not allowed" };
  },
};

/** The word "https:" alone, as in prose, is no link. */
function authoritiesIn(text: string): string[] {
  const withScheme = [...text.matchAll(linkPattern)].filter(([, slashes, authority]) => slashes !== "" || authority !== "");
  return [...withScheme.map((match) => match[2] ?? ""), ...[...text.matchAll(schemelessPattern)].map((match) => match[1] ?? "")];
}

/**
 * The host of an authority: what follows `:` is a port, and prose may go on right behind it. An authority with an `@` is a trick, and
 * programs disagree about where a backslash ends the host; what is left of either is no host that can be allowed.
 */
function hostOf(authority: string): string {
  return authority
    .toLowerCase()
    .replace(/[)\]}>"'`*,;:!.]+$/, "")
    .replace(/:\d*$/, "");
}
