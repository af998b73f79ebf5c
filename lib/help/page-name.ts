const SEGMENT = /^[a-z0-9][a-z0-9-]*(?:(?<=^openapi)\.json|\.schema\.json|\.yaml)?$/u;
const ORIGIN = "http://help.invalid";

export const listHelpFiles = (segments: readonly string[]): readonly string[] => {
  if (segments.length > 2 || !segments.every((segment) => SEGMENT.test(segment))) return [];
  const name = segments.join("/");
  if (name === "") return ["README.md"];

  return /\.(?:json|yaml)$/u.test(name) ? [name] : [`${name}.md`, `${name}/README.md`];
};

/** Resolves a link; null outside. @param file such as `reference/nodes.md` */
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
