import { crc32, deflateRawSync } from "node:zlib";

/** A line of a page: its size in points and where it begins; cells stand apart. */
export interface Line {
  readonly text: string;
  readonly size?: number;
  readonly x?: number;
  /** On the line of the one before, as a further cell. */
  readonly isBeside?: boolean;
}

/** A PDF with one page for each list of lines, in Helvetica. `encrypt` makes one that asks for a password. */
export function makePdf(pages: readonly (readonly (Line | string)[])[], { encrypt = false } = {}): Buffer {
  const objects: string[] = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const kids = pages.map((_, place) => `${4 + place * 2} 0 R`).join(" ");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  pages.forEach((lines, place) => {
    const content = contentOf(lines.map((line) => (typeof line === "string" ? { text: line } : line)));
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + place * 2} 0 R >>`,
    );
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  });
  const secret = `<${"ab".repeat(32)}>`;
  if (encrypt) objects.push(`<< /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -44 >>`);
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, place) => {
    const at = text.length;
    text += `${place + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const extra = encrypt ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : "";
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${extra} >>\n`;
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, "latin1");
}

function contentOf(lines: readonly Line[]): string {
  let y = 800;
  return lines
    .map(({ text, size = 11, x = 50, isBeside = false }) => {
      if (!isBeside) y -= text === "" ? 22 : size * 1.4;
      const escaped = text.replace(/([\\()])/g, "\\$1");
      return text === "" ? "" : `BT /F1 ${size} Tf ${x} ${y.toFixed(1)} Td (${escaped}) Tj ET`;
    })
    .join("\n");
}

/** A file of a zip archive; `claims` is the size that its directory says, where that is a lie. */
export interface Entry {
  readonly name: string;
  readonly data: Buffer;
  readonly claims?: number;
  readonly isEncrypted?: boolean;
}

/** A zip archive, deflated. */
export function makeZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, data, claims = data.length, isEncrypted = false } of entries) {
    const packed = deflateRawSync(data);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(crc32(data), 10);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(claims, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fixed, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fixed, rest, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06", "latin1"), end]);
}

const relations = (inner: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
const officeType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A Word document whose body is the given WordprocessingML. `extra` is put beside it. */
export function makeDocx(body: string, extra: readonly Entry[] = []): Buffer {
  const wordNamespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const style = (id: string, name: string) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const files = {
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": relations(`<Relationship Id="r1" Type="${officeType}/officeDocument" Target="word/document.xml"/>`),
    "word/_rels/document.xml.rels": relations(
      `<Relationship Id="r1" Type="${officeType}/styles" Target="styles.xml"/><Relationship Id="r2" Type="${officeType}/numbering" Target="numbering.xml"/>`,
    ),
    "word/styles.xml": `<?xml version="1.0"?><w:styles xmlns:w="${wordNamespace}">${style("Title", "Title")}${style("Heading1", "heading 1")}${style("Heading2", "heading 2")}</w:styles>`,
    "word/numbering.xml": `<?xml version="1.0"?><w:numbering xmlns:w="${wordNamespace}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="${wordNamespace}"><w:body>${body}</w:body></w:document>`,
  };
  return makeZip([...Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })), ...extra]);
}

/** A paragraph of a Word document, by its style's id; `isItem` makes it one of a list. */
export function wordParagraph(text: string, { style, isItem = false }: { style?: string; isItem?: boolean } = {}): string {
  const styled = style === undefined ? "" : `<w:pStyle w:val="${style}"/>`;
  const item = isItem ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : "";
  return `<w:p><w:pPr>${styled}${item}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}
