import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "@/bin/start/settings";
import { parseMarkdown, type Block, type Inline } from "@/lib/help/markdown";

const pages = fs.globSync(["*.md", "docs/**/*.md"], { cwd: ROOT }).filter((name) => name !== "CHANGELOG.md");
const blocksOf = (name: string): readonly Block[] => parseMarkdown(fs.readFileSync(path.join(ROOT, name), "utf8"));

const hrefsIn = (parts: readonly Inline[]): readonly string[] => parts.flatMap((part) => (part.type === "link" ? [part.href] : []));

const linksIn = (block: Block): readonly string[] => {
  switch (block.type) {
    case "heading":
    case "paragraph":
      return hrefsIn(block.content);
    case "table":
      return [...block.head, ...block.rows.flat()].flatMap(hrefsIn);
    case "list":
      return block.items.flatMap(({ content, blocks }) => [...hrefsIn(content), ...blocks.flatMap(linksIn)]);
    case "code":
      return [];
    default:
      return block satisfies never;
  }
};

const hasAnchor = (name: string, id: string): boolean => blocksOf(name).some((block) => block.type === "heading" && block.id === id);

const isDead = (page: string, href: string): boolean => {
  if (/^[a-z]+:/u.test(href)) return false;
  const [file = "", anchor] = href.split("#");
  const target = file === "" ? page : path.join(path.dirname(page), file);

  return !fs.existsSync(path.join(ROOT, target)) || (anchor !== undefined && target.endsWith(".md") && !hasAnchor(target, anchor));
};

test.each(pages)("every link of %s resolves", (page) => {
  expect(
    blocksOf(page)
      .flatMap(linksIn)
      .filter((href) => isDead(page, href)),
  ).toEqual([]);
});
