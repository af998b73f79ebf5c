/** Lint rule: feature folders of `components/` do not import each other. */

/** Folders for several features; they import each other and no feature. */
const SHARED: ReadonlySet<string> = new Set([
  "account",
  "agents",
  "analysis",
  "arming",
  "comments",
  "graph-map",
  "passkeys",
  "promotion",
  "proof",
  "schema-form",
  "shortcuts",
  "trpc",
  "ui",
  "values",
  "views",
]);
/** Mounts parts of features on every page. */
const SHELL = "shell";

const folderOf = (path: string): string | undefined => /(?:^|\/)components\/([^/]+)\//u.exec(path)?.[1];

export const explainImport = (file: string, specifier: string): string | null => {
  const [from, to] = [folderOf(file), specifier.startsWith("@/") ? folderOf(specifier) : undefined];
  if (from === undefined || to === undefined || from === to || from === SHELL || SHARED.has(to)) return null;

  return SHARED.has(from)
    ? `components/${from} is shared, so it imports no feature folder`
    : `components/${from} may not import components/${to}: share the part in a folder of its own, or compose both in app`;
};

type Import = { readonly source: { readonly value: unknown } | null };
type Context = { readonly filename: string; readonly report: (problem: { readonly node: object; readonly message: string }) => void };

const featureFolders = {
  create: ({ filename, report }: Context) => {
    const check = ({ source }: Import) => {
      const message = typeof source?.value === "string" ? explainImport(filename, source.value) : null;
      if (source && message !== null) report({ node: source, message });
    };

    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};

export default { meta: { name: "layers" }, rules: { "feature-folders": featureFolders } };
