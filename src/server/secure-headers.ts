import type { Context } from "hono";

/** Says whether the browser came by https, to us or to what stands before us. */
export function isSecure(context: Context): boolean {
  return new URL(context.req.url).protocol === "https:" || context.req.header("x-forwarded-proto") === "https";
}

/** Puts onto an answer what keeps it from being framed, guessed at, read or kept by others; a page says more of its own. */
export function addSecureHeaders(context: Context): void {
  for (const [name, value] of Object.entries(always)) context.header(name, value);
  for (const [name, value] of Object.entries(unlessSaid)) if (!context.res.headers.has(name)) context.header(name, value);
  if (isSecure(context)) context.header("strict-transport-security", "max-age=31536000");
}

const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const unlessSaid = {
  // What is no page loads nothing, wherever it is shown.
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  // A page that posts forms says `same-origin` itself: under `no-referrer` a browser sends `Origin: null` with them.
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
