import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Program } from "@/lib/mcp/program";
import { manifestOf } from "@/server/mcp/testing/programs";
import type { Installation } from "./installation";
import { checkManifest, resolveLaunch } from "./launch";
import { readPrograms } from "./list";
import { allowFile } from "./offer";
import { declared, makePlace, refusal, type Place } from "./testing/place";

const OWN = /inside a folder of Countersign or of the system/;

let root: string;
let at: Installation;
let write: Place["write"];

beforeEach(async () => {
  ({ root, at, write } = await makePlace());
});

describe("a protected path", () => {
  it.each(["app/bin/countersign.mjs", "state/build/x.mjs", "state/inbox/x.mjs", "state/keys/x.mjs"])(
    "rejects %s as a program",
    async (name) => {
      const file = await write(name);
      expect(await refusal(allowFile(file, declared(), at))).toMatch(OWN);
      const other = path.join(root, "outside", "link.mjs");
      await symlink(file, other);
      expect(await refusal(allowFile(other, declared(), at))).toMatch(OWN);
    },
  );

  const rooted = (below: string) => declared({ args: ["{folder}"], placeholders: { folder: { type: "folder", below } } });

  it.each(["/", "", "state", "state/keys", "app", "app/bin", "/proc", "/proc/self", "/sys", "/dev"])(
    "rejects %j as a root for folders",
    async (name) => {
      const below = name.startsWith("/") ? name : path.join(root, name).replace(/\/$/, "");
      expect(await refusal(allowFile(await write("srv/server.mjs"), rooted(below), at))).toMatch(
        /absolute path|inside a folder of Countersign/,
      );
      expect(readPrograms(at.home)).toEqual([]);
    },
  );

  it.each(["/", "--dir=/", "file:///", "/proc/1/environ", "..", "../../keys", "a/../b", "--dir=../keys", "%2e%2e/keys"])(
    "is refused in the fixed argument %j",
    async (text) => expect(await refusal(allowFile(await write("srv/server.mjs"), declared({ args: [text] }), at))).not.toBe("let in"),
  );

  it.each([
    ["the state folder", () => at.home],
    ["a key", () => path.join(at.home, "keys", "signing.key")],
    ["a file that does not exist yet", () => path.join(at.home, "new", "file")],
    ["an option", () => `--dir=${at.home}`],
    ["a short option", () => `-C${at.home}`],
    ["a list", () => `/srv/a:${at.home}/keys`],
    ["an address", () => `file://${at.home}/keys`],
    ["an address with escapes", () => `file://${at.home.replace("state", "%73tate")}/keys`],
    ["a double slash", () => `/${at.home}`],
  ])("is refused as %s, fixed or as a value", async (_what, text) => {
    const file = await write("srv/server.mjs");
    expect(await refusal(allowFile(file, declared({ args: [text()] }), at))).toMatch(OWN);
    expect(await refusal(allowFile(file, declared({ env: { PLACE: text() } }), at))).toMatch(OWN);
    const loose = await allowFile(file, declared({ args: ["{text}"], placeholders: { text: { type: "text", pattern: "(?s).*" } } }), at);
    expect(await refusal(checkManifest(manifestOf(loose, { text: text() }), at))).not.toBe("let in");
    expect(await refusal(checkManifest(manifestOf(loose, { text: "plain" }), at))).toBe("let in");
  });

  it("is refused as a value whatever precedes it in the argument", async () => {
    const text = { type: "text", pattern: ".*" } as const;
    const loose = await allowFile(await write("srv/server.mjs"), declared({ args: ["root{text}"], placeholders: { text } }), at);
    expect(await refusal(checkManifest(manifestOf(loose, { text: at.home }), at))).toMatch(OWN);
  });

  it("is refused as the database's folder, wherever that is", async () => {
    await writeFile(path.join(at.home, "postgres-place"), `${path.join(root, "outside", "pg")}\n`);
    await mkdir(path.join(root, "outside", "pg"));
    for (const below of ["outside", "outside/pg"])
      expect(await refusal(allowFile(await write("srv/server.mjs"), rooted(path.join(root, below)), at))).toMatch(OWN);
  });
});

describe("a folder value", () => {
  let program: Program;
  beforeEach(async () => {
    const below = path.join(root, "srv", "docs");
    program = await allowFile(
      await write("srv/server.mjs"),
      declared({ args: ["{folder}"], placeholders: { folder: { type: "folder", below } } }),
      at,
    );
  });
  const launchWith = (folder: string) => resolveLaunch(manifestOf(program, { folder }), at);

  it("becomes the real path below the operator's root", async () => {
    expect((await launchWith("team")).args.at(-1)).toBe(path.join(root, "srv", "docs", "team"));
    expect((await launchWith(".")).args.at(-1)).toBe(path.join(root, "srv", "docs"));
    await symlink("team", path.join(root, "srv", "docs", "alias"));
    expect((await launchWith("alias")).args.at(-1)).toBe(path.join(root, "srv", "docs", "team"));
  });

  it.each([
    ["goes up", "../keys"],
    ["is absolute", "/"],
    ["is not there", "nothing"],
    ["is a file", "file.txt"],
    ["is a link out of the root", "out"],
    ["is a link into the state folder", "keys"],
    ["is a link to the root of the machine", "slash"],
    ["goes through such a link", "keys/sub"],
  ])("that %s is refused", async (_what, value) => {
    await write("srv/docs/file.txt");
    await mkdir(path.join(at.home, "keys", "sub"));
    for (const [name, target] of [
      ["out", path.join(root, "outside")],
      ["keys", path.join(at.home, "keys")],
      ["slash", "/"],
    ] as const)
      await symlink(target, path.join(root, "srv", "docs", name));
    expect(await refusal(launchWith(value))).not.toBe("let in");
  });

  it("is resolved at each start, so that a folder replaced by a link is refused", async () => {
    const team = path.join(root, "srv", "docs", "team");
    expect(await refusal(launchWith("team"))).toBe("let in");
    await rm(team, { recursive: true });
    await symlink(path.join(at.home, "keys"), team);
    expect(await refusal(launchWith("team"))).toContain("leads out");
  });
});
