/** What stands in the address of a page: text by name; what is no text is left out. */
export type Search = Readonly<Record<string, string | undefined>>;
