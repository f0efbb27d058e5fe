import { html as escaped } from "hono/html";

/** A piece of a page whose texts are escaped. Made by the tagged template `html` alone. */
export type Html = ReturnType<typeof escaped>;

/** The tagged template of the pages: every value in it is escaped unless it is `Html` itself. */
export const html = escaped;
