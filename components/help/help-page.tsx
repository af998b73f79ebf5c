import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { PageHeader } from "@/components/ui/page-header";
import { parseMarkdown, toPlainText, type Block, type Inline } from "@/lib/help/markdown";
import { resolveHelpLink } from "@/lib/help/page-name";

const linkStyle = "text-accent underline underline-offset-2";

const HelpLink = ({ file, href, children }: { readonly file: string; readonly href: string; readonly children: ReactNode }) => {
  const inside = resolveHelpLink(file, href);
  if (inside !== null) {
    return (
      <Link href={inside} className={linkStyle}>
        {children}
      </Link>
    );
  }

  return href.startsWith("https://") ? (
    <a href={href} target="_blank" rel="noreferrer" className={linkStyle}>
      {children}
    </a>
  ) : (
    children
  );
};

const InlineText = ({ file, parts }: { readonly file: string; readonly parts: readonly Inline[] }): ReactNode =>
  parts.map((part, index) => {
    const key = `${index} ${part.type}`;
    switch (part.type) {
      case "code":
        return (
          <code key={key} className="font-mono text-xs">
            {part.text}
          </code>
        );
      case "strong":
        return <strong key={key}>{part.text}</strong>;
      case "emphasis":
        return <em key={key}>{part.text}</em>;
      case "break":
        return <br key={key} />;
      case "link":
        return (
          <HelpLink key={key} file={file} href={part.href}>
            <InlineText file={file} parts={part.children} />
          </HelpLink>
        );
      case "text":
        return <Fragment key={key}>{part.text}</Fragment>;
      default:
        return part satisfies never;
    }
  });

const Code = ({ text }: { readonly text: string }) => (
  // Keyboard scrolling needs focus.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <pre tabIndex={0} className="overflow-x-auto rounded-md border bg-surface p-3 font-mono text-xs">
    {text}
  </pre>
);

const HelpTable = ({ file, block }: { readonly file: string; readonly block: Extract<Block, { type: "table" }> }) => (
  <div className="overflow-x-auto rounded-md border bg-surface">
    <table className="w-full text-left text-sm">
      <thead>
        <tr className="border-b">
          {block.head.map((cell) => (
            <th key={toPlainText(cell)} scope="col" className="px-3 py-2 font-medium">
              <InlineText file={file} parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {block.rows.map((row, index) => (
          <tr key={`${index} ${toPlainText(row[0] ?? [])}`} className="align-top">
            {row.map((cell, column) => (
              <td key={`${column} ${toPlainText(cell)}`} className="px-3 py-1.5 wrap-anywhere">
                <InlineText file={file} parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const HelpBlock = ({ file, block }: { readonly file: string; readonly block: Block }) => {
  switch (block.type) {
    case "heading": {
      const Heading = block.level <= 2 ? "h2" : "h3";

      return (
        <Heading id={block.id} className={block.level <= 2 ? "mt-4 scroll-mt-4 text-base font-semibold" : "mt-2 scroll-mt-4 font-medium"}>
          <InlineText file={file} parts={block.content} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <InlineText file={file} parts={block.content} />
        </p>
      );
    case "code":
      return <Code text={block.text} />;
    case "table":
      return <HelpTable file={file} block={block} />;
    case "list": {
      const List = block.ordered ? "ol" : "ul";

      return (
        <List className={`flex flex-col gap-1 pl-5 ${block.ordered ? "list-decimal" : "list-disc"}`}>
          {block.items.map(({ content, blocks }, index) => (
            <li key={`${index} ${toPlainText(content)}`}>
              <InlineText file={file} parts={content} />
              <Blocks file={file} blocks={blocks} />
            </li>
          ))}
        </List>
      );
    }
    default:
      return block satisfies never;
  }
};

const Blocks = ({ file, blocks }: { readonly file: string; readonly blocks: readonly Block[] }) =>
  blocks.map((block, index) => <HelpBlock key={`${index} ${block.type}`} file={file} block={block} />);

export const HelpPage = ({ file, text }: { readonly file: string; readonly text: string }) => {
  const isMarkdown = file.endsWith(".md");
  const [first, ...rest] = isMarkdown ? parseMarkdown(text) : [];
  const title = first?.type === "heading" ? toPlainText(first.content) : file;
  const blocks = first && first.type !== "heading" ? [first, ...rest] : rest;

  return (
    <>
      <PageHeader title={title} above={file === "README.md" ? undefined : <Link href="/help">Documentation</Link>} />
      <article className="flex max-w-4xl flex-col gap-3 px-6 py-4 text-sm">
        {isMarkdown ? <Blocks file={file} blocks={blocks} /> : <Code text={text} />}
      </article>
    </>
  );
};
