import { appendFile, chmod, mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { computeProgramDigest, type StdioManifest } from "@/lib/mcp/program";
import { digestTree } from "@/server/mcp/file-digest";
import { manifestOf } from "@/server/mcp/testing/programs";
import type { Installation } from "./installation";
import { isOffered, listOfferedPrograms, resolveLaunch } from "./launch";
import { readPrograms, writePrograms } from "./list";
import { allowFile, removeProgram, takePackage } from "./offer";
import { declared, makePlace, refusal, type Place } from "./testing/place";

let root: string;
let at: Installation;
let write: Place["write"];

beforeEach(async () => {
  ({ root, at, write } = await makePlace());
});

describe("a file", () => {
  let file: string;
  let manifest: StdioManifest;
  beforeEach(async () => {
    file = await write("srv/server.mjs");
    manifest = manifestOf(await allowFile(file, declared(), at));
  });

  it("runs in our own Node with a heap limit and no variables while unchanged", async () => {
    expect(await resolveLaunch(manifest, at)).toMatchObject({
      entry: file,
      command: process.execPath,
      args: ["--max-old-space-size=512", file],
    });
    expect((await resolveLaunch(manifest, at)).env).toEqual({});
  });

  it("may write filled-in folders and the operator's paths, but nothing an admin wrote", async () => {
    const offered = await allowFile(
      file,
      declared({
        args: ["/srv/fixed", "--dir={docs}", "--name={name}", "{place}"],
        env: { TOKEN: "{token}", CACHE: "/srv/cache", DATA: "{docs}/data.json" },
        placeholders: {
          docs: { type: "folder", below: path.join(root, "srv", "docs") },
          name: { type: "text", pattern: ".*" },
          place: { type: "choice", options: ["/srv/one", "/srv/two"] },
          token: { type: "secret" },
        },
      }),
      at,
    );
    const values = { docs: "team", name: "/srv/planted", place: "/srv/two", token: { secret: "/srv/secret" } };
    const { writable } = await resolveLaunch(manifestOf(offered, values), at);
    expect(writable.filter((text) => text.startsWith("/")).toSorted()).toEqual(
      ["/srv/cache", "/srv/fixed", "/srv/two", path.join(root, "srv", "docs", "team")].toSorted(),
    );
  });

  it("that is not a script is executed directly", async () => {
    const binary = await write("srv/tool", "#!/bin/false\n", 0o700);
    const own = manifestOf(await allowFile(binary, declared({ id: "tool", args: ["--safe"] }), at));
    expect(await resolveLaunch(own, at)).toMatchObject({ entry: binary, command: binary, args: ["--safe"], env: {} });
  });

  it.each([
    ["whose text changed", async () => appendFile(file, "// more"), "not the ones that the operator installed"],
    [
      "that was exchanged for a link to the same text",
      async () => (await rename(file, `${file}.old`), symlink(`${file}.old`, file)),
      "no regular file",
    ],
    ["that is gone", async () => rm(file), "no regular file"],
    ["that others can change", async () => chmod(file, 0o662), "Other users of this machine"],
    ["that the operator removed", async () => removeProgram("server", at), "does not offer the program server"],
    [
      "that the operator offers with other arguments",
      async () => allowFile(file, declared({ args: ["--all"] }), at),
      "not the one that was confirmed",
    ],
  ])("%s is not started", async (_what, change, message) => {
    await change();
    expect(await refusal(resolveLaunch(manifest, at))).toContain(message);
  });

  it("is allowed only by the digest that the operator knows", async () => {
    expect(await refusal(allowFile(file, declared({ id: "other" }), at, "0".repeat(64)))).toContain("SHA-256");
    const listed = readPrograms(at.home)[0]?.files ?? "";
    expect(await refusal(allowFile(file, declared({ id: "other" }), at, listed))).toBe("let in");
  });

  it.each(["node", "python3", "sh", "npx"])("named %s runs arbitrary code and is refused", async (name) => {
    expect(await refusal(allowFile(await write(`srv/${name}`, "", 0o700), declared(), at))).toContain("runs other code");
  });

  it("keeps its connection only while offered unchanged", async () => {
    expect(isOffered(manifest, at)).toBe(true);
    await allowFile(file, declared({ args: ["--all"] }), at);
    expect(isOffered(manifest, at)).toBe(false);
    expect(isOffered({ ...manifest, program: "nothing" }, at)).toBe(false);
  });
});

describe("a package", () => {
  const SPEC = { name: "@scope/server", version: "1.0.0", bin: null };
  const draft = async (change: { readonly version?: string; readonly bin?: unknown } = {}): Promise<string> => {
    const folder = path.join(at.home, "programs", ".draft");
    const described = { name: SPEC.name, version: "1.0.0", bin: { server: "dist/index.js" }, ...change };
    await write("state/programs/.draft/node_modules/@scope/server/package.json", JSON.stringify(described));
    await write("state/programs/.draft/node_modules/@scope/server/dist/index.js");
    await write("state/programs/.draft/node_modules/used/index.js");
    await mkdir(path.join(folder, "node_modules", ".bin"), { recursive: true });
    await symlink("../@scope/server/dist/index.js", path.join(folder, "node_modules", ".bin", "server"));

    return folder;
  };
  const inFolder = (...names: string[]) => path.join(at.home, "programs", "server", "node_modules", ...names);

  it("runs from its own folder", async () => {
    const program = await takePackage(await draft(), SPEC, declared(), at);
    const { args } = await resolveLaunch(manifestOf(program), at);
    expect(args).toEqual(["--max-old-space-size=512", inFolder("@scope", "server", "dist", "index.js")]);
  });

  it.each([
    ["a file of its own", () => appendFile(inFolder("@scope", "server", "dist", "index.js"), "// more")],
    ["a file of what it uses", () => appendFile(inFolder("used", "index.js"), "// more")],
    ["a file more", () => writeFile(inFolder("used", "more.js"), "")],
    ["where a link leads", async () => (await rm(inFolder(".bin", "server")), symlink("../used/index.js", inFolder(".bin", "server")))],
    ["a link that leads out", () => symlink("/etc/hosts", inFolder("hosts"))],
    ["a link into the keys", () => symlink(path.join(at.home, "keys"), inFolder("keys"))],
  ])("is not started after a change of %s", async (_what, change) => {
    const program = await takePackage(await draft(), SPEC, declared(), at);
    await change();
    expect(await refusal(resolveLaunch(manifestOf(program), at))).not.toBe("let in");
  });

  it.each([
    ["of another version", { version: "1.0.1" }],
    ["with no program", { bin: {} }],
    ["with two programs and none named", { bin: { a: "dist/index.js", b: "package.json" } }],
    ["whose program is a folder", { bin: "dist" }],
    ["whose program is outside of it", { bin: "../../used/index.js" }],
    ["whose program is missing", { bin: "nothing.js" }],
  ])("%s is not offered", async (_what, change) => {
    expect(await refusal(takePackage(await draft(change), SPEC, declared(), at))).not.toBe("let in");
    expect(readPrograms(at.home)).toEqual([]);
  });

  it.each([
    ["out of its folder", () => "/etc/hosts"],
    ["to the keys", () => path.join(at.home, "keys", "signing.key")],
    ["to nothing", () => "nothing"],
  ])("with a link leading %s is not offered", async (_where, target) => {
    const folder = await draft();
    await symlink(target(), path.join(folder, "node_modules", "link"));
    expect(await refusal(takePackage(folder, SPEC, declared(), at))).not.toBe("let in");
    expect(readPrograms(at.home)).toEqual([]);
  });

  it("takes the program named like the package, or the only file of several names", async () => {
    const named = await takePackage(await draft({ bin: { other: "package.json", server: "dist/index.js" } }), SPEC, declared(), at);
    expect(named.runs).toMatchObject({ entry: "dist/index.js" });
    const twice = await takePackage(await draft({ bin: { a: "dist/index.js", b: "dist/index.js" } }), SPEC, declared(), at);
    expect(twice.runs).toMatchObject({ entry: "dist/index.js" });
  });

  it("of more than 2 GiB is refused before it is read", async () => {
    const folder = await draft();
    await truncate(await write("state/programs/.draft/node_modules/used/large.bin"), 2 * 1_073_741_824);
    expect(await refusal(takePackage(folder, SPEC, declared(), at))).toBe("The program's folder has more than 2 GiB.");
  });

  it("names the link that leads out", async () => {
    const folder = await draft();
    await symlink("/etc/hosts", path.join(folder, "node_modules", "link"));
    expect(await refusal(takePackage(folder, SPEC, declared(), at))).toBe("The link node_modules/link leads out of the program's folder.");
  });

  it("has the same digest on every machine", async () => {
    const first = await draft();
    const before = await digestTree(first);
    await rename(first, path.join(root, "outside", "copy"));
    expect(await digestTree(path.join(root, "outside", "copy"))).toBe(before);
  });
});

describe("the operator's list", () => {
  it("offers nothing when others can read, change or create it", async () => {
    const program = await allowFile(await write("srv/server.mjs"), declared(), at);
    const file = path.join(at.home, "keys", "programs.json");
    await chmod(file, 0o644);
    expect(() => readPrograms(at.home)).toThrow("cannot be read");
    expect(await refusal(resolveLaunch(manifestOf(program), at))).toContain("cannot be read");
    await chmod(file, 0o600);
    expect(readPrograms(at.home)).toEqual([program]);
    await writeFile(file, JSON.stringify({ v: 1, programs: [program, program] }));
    expect(() => readPrograms(at.home)).toThrow("cannot be read");
  });

  it("rejects an entry with a bundled server's name", async () => {
    expect(await refusal(allowFile(await write("srv/server.mjs"), declared({ id: "customers" }), at))).toContain("bundled server");
    const program = await allowFile(await write("srv/server.mjs"), declared(), at);
    expect(() => writePrograms(at.home, [{ ...program, id: "customers" }])).toThrow();
    expect(() => writePrograms(at.home, [{ ...program, runs: { kind: "bundled" } }])).toThrow();
  });

  it("is shown with the built bundled servers", async () => {
    await write("state/build/shop.mjs");
    await allowFile(await write("srv/server.mjs"), declared(), at);
    expect((await listOfferedPrograms(at)).map(({ id }) => id)).toEqual(["shop", "server"]);
  });

  it("gives a bundled server its own folder whatever the values, and starts no other build", async () => {
    const file = await write("state/build/shop.mjs");
    const [shop] = await listOfferedPrograms(at);
    if (!shop) throw new Error("the shop is not offered");
    expect((await resolveLaunch(manifestOf(shop), at)).args.slice(1)).toEqual([file, path.join(at.home, "shop")]);
    expect(await refusal(resolveLaunch(manifestOf(shop, { folder: "/" }), at))).toContain("has no such value");
    await appendFile(file, "// another build");
    expect(await refusal(resolveLaunch({ program: "shop", digest: computeProgramDigest(shop), values: {} }, at))).toContain(
      "not the one that was confirmed",
    );
  });
});
