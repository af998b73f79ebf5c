/** Names of help pages: files of the folder docs, at most one folder deep. */

const SEGMENT = /^[a-z0-9][a-z0-9-]*(?:\.(?:schema\.json|yaml))?$/u;
const ORIGIN = "http://help.invalid";

/** The file of an address below /help; null when no page can have it. Folders name their README. */
export const listHelpFiles = (segments: readonly string[]): readonly string[] => {
  if (segments.length > 2 || !segments.every((segment) => SEGMENT.test(segment))) return [];
  const name = segments.join("/");
  if (name === "") return ["README.md"];

  return /\.(?:json|yaml)$/u.test(name) ? [name] : [`${name}.md`, `${name}/README.md`];
};

/** Where a link of a documentation page leads in the app; null when it leads out of the documentation. @param file of the page, as `reference/nodes.md` */
export const resolveHelpLink = (file: string, href: string): string | null => {
  if (href.startsWith("#")) return href;
  const { origin, pathname, hash } = new URL(href, `${ORIGIN}/docs/${file}`);
  const [, root, ...rest] = pathname.split("/");
  if (origin !== ORIGIN || root !== "docs") return null;
  const name = rest
    .join("/")
    .replace(/\.md$/u, "")
    .replace(/(?:^|\/)README$/u, "");
  const isPage = name === "" || listHelpFiles(name.split("/")).length > 0;

  return isPage ? `/help${name === "" ? "" : `/${name}`}${hash}` : null;
};
