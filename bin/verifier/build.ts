/** Reproducible offline verifier, one file. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { build as bundle, transform } from "esbuild";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const scriptOf = async (root: string): Promise<string> => {
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: ["./components/verifier/main.ts"],
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });

  return (outputFiles[0]?.text ?? "").trim();
};

/** Only its own script and style may run. */
export const verifierHtml = async (root: string): Promise<string> => {
  const folder = path.join(root, "components", "verifier");
  const script = await scriptOf(root);
  const { code } = await transform(fs.readFileSync(path.join(folder, "page.css"), "utf8"), { loader: "css", minify: true });
  const style = code.trim();
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign: offline verifier</title>
<style>${style}</style>
</head>
<body>
${fs.readFileSync(path.join(folder, "page.html"), "utf8").trim()}
<script>${script}</script>
</body>
</html>
`;
};
