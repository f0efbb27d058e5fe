/** One file of policies as it was read; whoever opens policies reads the files. */
export interface PolicyText {
  /** The file's name without a folder, such as `signing.cedar`. */
  readonly file: string;
  readonly text: string;
}

/** The schema's file name: the program's own, since it says what the program tells policies. */
export const schemaFile = "countersign.cedarschema";
