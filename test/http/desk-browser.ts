/** A page as it came over HTTP. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  readonly location: string | null;
}

/** A browser without script: it keeps the cookie, says where its forms come from, and follows no redirect by itself. */
export class PlainBrowser {
  readonly base: string;
  cookie = "";
  token = "";

  constructor(base: string) {
    this.base = base;
  }

  get(path: string): Promise<Page> {
    return this.send(path, { headers: { accept: "text/html" } });
  }

  /** Posts a form from our own page; `headers` change where it says it comes from. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin: this.base, "sec-fetch-site": "same-origin" },
  ): Promise<Page> {
    return this.send(path, { method: "POST", body: new URLSearchParams(fields), headers: { accept: "text/html", ...headers } });
  }

  /** Signs in with a key and gives the session's token. */
  async signIn(key: string): Promise<string> {
    await this.post("/sign-in", { key });
    const { token } = (await this.call("/v1/session")).json;
    this.token = typeof token === "string" ? token : "";
    return this.token;
  }

  /** Calls the API as the console does: by the cookie, and with the session's token. `headers` change what is sent. */
  async call(path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}) {
    const own = { ...(this.cookie === "" ? {} : { cookie: this.cookie }), "countersign-token": this.token };
    const response = await fetch(`${this.base}${path}`, {
      headers: { "content-type": "application/json", ...own, ...headers },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text) };
  }

  private async send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const headers = { ...init.headers, ...(this.cookie === "" ? {} : { cookie: this.cookie }) };
    const response = await fetch(`${this.base}${path}`, { ...init, headers, redirect: "manual" });
    const set = response.headers.get("set-cookie");
    if (set !== null) this.cookie = set.split(";")[0] ?? "";
    return {
      status: response.status,
      html: await response.text(),
      headers: response.headers,
      location: response.headers.get("location"),
    };
  }
}

/** The value of a hidden field of a page. */
export function fieldOf(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
}
