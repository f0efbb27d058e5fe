/** A credential that its system takes no more: the same address with another password, or another text where it is no such address. */
export function spoiltSecret(secret: string): string {
  const url = URL.parse(secret);
  if (url === null || url.password === "") return `expired-${secret.length}`;
  url.password = "expired";
  return url.href;
}
