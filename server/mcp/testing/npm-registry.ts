/** Serves one package. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

type Package = {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly more: object;
};

export type NpmRegistry = { readonly url: string; readonly close: () => void };

export const startNpmRegistry = async ({ name, version, files, more }: Package): Promise<NpmRegistry> => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "countersign-registry-")));
  mkdirSync(path.join(folder, "package"));
  const described = { name, version, ...more };
  for (const [file, text] of Object.entries({ "package.json": JSON.stringify(described), ...files }))
    writeFileSync(path.join(folder, "package", file), text);
  const tarball = path.join(folder, "package.tgz");
  execFileSync("tar", ["-czf", tarball, "-C", folder, "package"]);
  const bytes = readFileSync(tarball);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url === "/package.tgz") return response.end(bytes);
    if (decodeURIComponent(request.url ?? "") !== `/${name}`) return response.writeHead(404).end("{}");
    const dist = { tarball: `http://127.0.0.1:${port}/package.tgz`, integrity };

    return response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...described, dist } } }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
