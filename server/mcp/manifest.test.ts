/** What is reviewed is what is started: swaps, links and launchers, with real files and real processes. */
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { ManifestDraft, StdioManifest } from "@/lib/mcp/transport";
import { resolveLaunch, sealManifest, type Installation } from "./manifest";

const folders: string[] = [];
let root: string;
let at: Installation;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), "manifest-")));
  folders.push(root);
  at = { home: path.join(root, "home"), root };
  await mkdir(path.join(at.home, "inbox"), { recursive: true });
  await mkdir(path.join(at.home, "scratch"), { recursive: true });
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const HONEST = "export const honest = true;\n";
const EVIL = "export const evil = true;\n";

const write = async (name: string, text: string): Promise<string> => {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text, { mode: 0o600 });

  return file;
};
const ofFile = (file: string): ManifestDraft => ({ source: "file", path: file, args: [] });
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "let in",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

describe("a file", () => {
  let sealed: StdioManifest;
  let file: string;
  beforeEach(async () => {
    file = await write("srv/server.mjs", HONEST);
    sealed = await sealManifest(ofFile(file), at);
  });

  it("that is as it was reviewed is started", async () => {
    expect(await resolveLaunch(sealed, at)).toEqual({ entry: file, args: [] });
  });

  it("whose text changed after the review is not", async () => {
    await writeFile(file, EVIL);
    expect(await refusal(resolveLaunch(sealed, at))).toBe("The file is not the one that was reviewed.");
  });

  it("that became a link after the review is not, even one to the very same text", async () => {
    const other = await write("elsewhere/server.mjs", HONEST);
    await rm(file);
    await symlink(other, file);
    expect(await refusal(resolveLaunch(sealed, at))).toBe("There is no regular file under that path.");
  });

  it("whose folder became a link after the review is not, even one to the very same text", async () => {
    await write("swapped/server.mjs", HONEST);
    await rename(path.join(root, "srv"), path.join(root, "old"));
    await symlink(path.join(root, "swapped"), path.join(root, "srv"));
    expect(await refusal(resolveLaunch(sealed, at))).toContain("is a link");
  });

  it("behind a link, as a folder or a device is not reviewed in the first place", async () => {
    await symlink(path.join(root, "srv"), path.join(root, "link"));
    await symlink(file, path.join(root, "link.mjs"));
    expect(await refusal(sealManifest(ofFile(path.join(root, "link/server.mjs")), at))).toContain("is a link");
    for (const each of [path.join(root, "link.mjs"), path.join(root, "srv"), "/dev/null", path.join(root, "nowhere.mjs")]) {
      expect(await refusal(sealManifest(ofFile(each), at))).toBe("There is no regular file under that path.");
    }
  });

  it("that everybody may change is not reviewed, and not started once it is so", async () => {
    await chmod(file, 0o666);
    expect(await refusal(sealManifest(ofFile(file), at))).toBe("Everybody on this machine may change the file.");
    expect(await refusal(resolveLaunch(sealed, at))).toBe("Everybody on this machine may change the file.");
  });

  it.each(["inbox", "scratch"])("in the folder %s, where others write, is not reviewed", async (folder) => {
    const written = await write(`home/${folder}/server.mjs`, EVIL);
    expect(await refusal(sealManifest(ofFile(written), at))).toBe("Servers can write into that folder.");
  });
});

const DESCRIBED = {
  name: "@scope/server",
  version: "1.0.0",
  bin: { server: "dist/main.js" },
  dependencies: { "@modelcontextprotocol/sdk": "^1" },
};
const DRAFT: ManifestDraft = { source: "package", name: "@scope/server", version: "1.0.0", bin: "server", args: [] };

const installed = async (described: object, folder = "node_modules/@scope/server"): Promise<void> => {
  await write(`${folder}/package.json`, JSON.stringify(described));
  await write(`${folder}/dist/main.js`, HONEST);
};

describe("a package", () => {
  it("is started while each of its files is as it was reviewed, and not after one changed or was added", async () => {
    await installed(DESCRIBED);
    const sealed = await sealManifest(DRAFT, at);
    expect((await resolveLaunch(sealed, at)).entry).toBe(path.join(root, "node_modules/@scope/server/dist/main.js"));
    await write("node_modules/@scope/server/dist/more.js", EVIL);
    expect(await refusal(resolveLaunch(sealed, at))).toBe("The package's files are not the ones that were reviewed.");
  });

  it("that became a link after the review is not started, even one to the very same files", async () => {
    await installed(DESCRIBED);
    const sealed = await sealManifest(DRAFT, at);
    await rename(path.join(root, "node_modules/@scope/server"), path.join(root, "moved"));
    await symlink(path.join(root, "moved"), path.join(root, "node_modules/@scope/server"));
    expect(await refusal(resolveLaunch(sealed, at))).toBe("The package is installed as a link to somewhere else.");
    expect(await refusal(sealManifest(DRAFT, at))).toBe("The package is installed as a link to somewhere else.");
  });

  it.each([
    ["is not installed", null, "The package is not installed here."],
    ["calls itself otherwise", { ...DESCRIBED, name: "evil" }, "The package calls itself otherwise."],
    ["is of another version", { ...DESCRIBED, version: "1.0.1" }, "Installed is 1.0.1, which is another version."],
    [
      "uses no MCP SDK, as what runs other programs does not",
      { ...DESCRIBED, dependencies: { execa: "1" } },
      "The package uses no MCP SDK, so it is no MCP server.",
    ],
    [
      "uses the inspector alone",
      { ...DESCRIBED, dependencies: { "@modelcontextprotocol/inspector": "1" } },
      "The package uses no MCP SDK, so it is no MCP server.",
    ],
    ["has no such program", { ...DESCRIBED, bin: { other: "dist/main.js" } }, "The package has no program of that name."],
    ["has it outside of itself", { ...DESCRIBED, bin: { server: "../../../srv/x.mjs" } }, "The program is a file outside of the package."],
    ["describes itself as nothing", [], "The package does not describe itself."],
  ])("that %s is not reviewed", async (_what, described, why) => {
    await write("srv/x.mjs", EVIL);
    if (described) await installed(described);
    expect(await refusal(sealManifest(DRAFT, at))).toBe(why);
  });

  it("with a link among its files is not reviewed", async () => {
    await installed(DESCRIBED);
    await symlink("/etc/hostname", path.join(root, "node_modules/@scope/server/dist/data"));
    expect(await refusal(sealManifest(DRAFT, at))).not.toBe("let in");
  });
});
