export type Inline =
  | { readonly type: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly type: "break" }
  | { readonly type: "link"; readonly href: string; readonly children: readonly Inline[] };

type Item = { readonly content: readonly Inline[]; readonly blocks: readonly Block[] };

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly id: string; readonly content: readonly Inline[] }
  | { readonly type: "paragraph"; readonly content: readonly Inline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "list"; readonly ordered: boolean; readonly items: readonly Item[] }
  | { readonly type: "table"; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] };

const INLINE =
  /`(?<code>[^`]+)`|!\[[^\]]*\]\([^)]*\)|\[(?<label>(?:`[^`]*`|[^\]`])+)\]\((?<href>[^)\s]+)\)|\*\*(?<strong>[^*]+)\*\*|(?<![\w])_(?<emphasis>[^_]+)_(?![\w])|(?<break><br>)/gu;

export const parseInline = (text: string): readonly Inline[] => {
  const parts: Inline[] = [];
  let from = 0;
  const addText = (to: number) => {
    if (to > from) parts.push({ type: "text", text: text.slice(from, to).replaceAll("\\|", "|") });
  };
  for (const match of text.matchAll(INLINE)) {
    const { code, label, href, strong, emphasis, break: isBreak } = match.groups ?? {};
    addText(match.index);
    from = match.index + match[0].length;
    if (code !== undefined) parts.push({ type: "code", text: code.replaceAll("\\|", "|") });
    else if (label !== undefined && href !== undefined) parts.push({ type: "link", href, children: parseInline(label) });
    else if (strong !== undefined) parts.push({ type: "strong", text: strong.replaceAll("`", "") });
    else if (emphasis !== undefined) parts.push({ type: "emphasis", text: emphasis });
    else if (isBreak !== undefined) parts.push({ type: "break" });
  }
  addText(text.length);

  return parts;
};

export const toPlainText = (parts: readonly Inline[]): string =>
  parts.map((part) => (part.type === "link" ? toPlainText(part.children) : part.type === "break" ? " " : part.text)).join("");

const slugOf = (parts: readonly Inline[]): string =>
  toPlainText(parts)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-");

const ITEM = /^(?<indent>\s*)(?<mark>[-*]|\d+\.)\s+(?<text>.*)$/u;

const cellsOf = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\|/u, "")
    .replace(/\|$/u, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => parseInline(cell.trim()));

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";
const startsBlock = (line: string): boolean => /^(?:#{1,6} |```|\||<!--)/u.test(line) || ITEM.test(line);

type Taken = { readonly block: Block | null; readonly next: number };

const takeCode = (lines: readonly string[], at: number): Taken => {
  const found = lines.findIndex((line, index) => index > at && line.startsWith("```"));
  const end = found === -1 ? lines.length : found;

  return { block: { type: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
};

const takeTable = (lines: readonly string[], at: number): Taken => {
  const found = lines.findIndex((line, index) => index > at && !line.startsWith("|"));
  const end = found === -1 ? lines.length : found;
  const [head = "", _rule, ...rows] = lines.slice(at, end);

  return { block: { type: "table", head: cellsOf(head), rows: rows.map(cellsOf) }, next: end };
};

/** Blank or indented lines continue an item. */
const takeList = (lines: readonly string[], at: number): Taken => {
  const ordered = /^\d/u.test(lines[at] ?? "");
  const items: Item[] = [];
  let index = at;
  for (let match = ITEM.exec(lines[index] ?? ""); match?.groups?.["indent"] === ""; match = ITEM.exec(lines[index] ?? "")) {
    const start = index + 1;
    index = start;
    while (
      index < lines.length &&
      (/^\s{2,}\S/u.test(lines[index] ?? "") || (isBlank(lines[index]) && /^\s{2,}\S/u.test(lines[index + 1] ?? "")))
    )
      index += 1;
    const inner = lines.slice(start, index).map((line) => line.replace(/^\s{2,3}/u, ""));
    items.push({ content: parseInline(match.groups["text"] ?? ""), blocks: parseLines(inner) });
    if (isBlank(lines[index]) && ITEM.exec(lines[index + 1] ?? "")?.groups?.["indent"] === "") index += 1;
  }

  return { block: { type: "list", ordered, items }, next: index };
};

const takeParagraph = (lines: readonly string[], at: number): Taken => {
  const found = lines.findIndex((line, index) => index > at && (isBlank(line) || startsBlock(line)));
  const end = found === -1 ? lines.length : found;
  const content = parseInline(lines.slice(at, end).join(" ").trim());

  return { block: content.length === 0 ? null : { type: "paragraph", content }, next: end };
};

const takeBlock = (lines: readonly string[], at: number): Taken => {
  const line = lines[at] ?? "";
  const heading = /^(?<marks>#{1,6}) (?<text>.+)$/u.exec(line)?.groups;
  if (isBlank(line) || line.startsWith("<!--")) return { block: null, next: at + 1 };
  if (heading) {
    const content = parseInline(heading["text"] ?? "");

    return { block: { type: "heading", level: heading["marks"]?.length ?? 1, id: slugOf(content), content }, next: at + 1 };
  }
  if (line.startsWith("```")) return takeCode(lines, at);
  if (line.startsWith("|")) return takeTable(lines, at);

  return ITEM.exec(line)?.groups?.["indent"] === "" ? takeList(lines, at) : takeParagraph(lines, at);
};

const parseLines = (lines: readonly string[]): readonly Block[] => {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const { block, next } = takeBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }

  return blocks;
};

export const parseMarkdown = (text: string): readonly Block[] => parseLines(text.split("\n"));
