/** Every address of the console. Each answers with the same page, which shows what its address says. */
export const consolePaths = [
  ...["/", "/ask", "/review", "/review/:id", "/review-health", "/decisions", "/decisions/:id", "/cases", "/cases/:id"],
  ...["/operations", "/ledger", "/search", "/facts", "/evals", "/autonomy", "/spend", "/models"],
  ...["/policies", "/stop", "/settings"],
] as const;

const forms = consolePaths.map((path) => new RegExp(`^${path.replace(":id", "[0-9A-Za-z_-]{1,64}")}$`));

/** Says whether an address is one of the console, with whatever its query says. */
export function isConsoleAddress(address: string): boolean {
  const [path = "", ...query] = address.split("?");
  return forms.some((form) => form.test(path)) && /^[!-[\]-~]{0,1900}$/.test(query.join("?"));
}
