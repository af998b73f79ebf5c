import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { listAllExcept } from "./paths.ts";
import { NO_NETWORK } from "./policy.ts";
import { buildServerPolicy } from "./server-policy.ts";
import { SYSTEM_WRITE } from "./system-files.ts";

type Place = { readonly home: string; readonly root: string; readonly data: string };

/** The state folder is in the application, as by default. */
const inPlace = (work: (place: Place) => void): Promise<void> =>
  inTemporaryFolder((folder) => {
    const real = fs.realpathSync(folder);
    const place = { root: path.join(real, "app"), home: path.join(real, "app", ".state"), data: path.join(real, "data") };
    for (const each of ["app/node_modules/tool", "app/.state/inbox", "app/.state/keys", "app/.state/build", "data/inner", "program/dist"])
      fs.mkdirSync(path.join(real, each), { recursive: true });
    for (const each of ["app/package.json", "program/package.json", "program/dist/main.js", "app/.state/build/shop.mjs", "lone.js"])
      fs.writeFileSync(path.join(real, each), "{}");
    work(place);
  });

const policyOf = (place: Place, entry: string, given: readonly string[] = []) =>
  buildServerPolicy({ entry, command: process.execPath, given, own: ["/own"], read: [], network: null }, place);

const changes = (place: Place, ...given: string[]): readonly string[] =>
  policyOf(place, "/nowhere/x.js", given).write.filter((file) => ![...SYSTEM_WRITE, "/own"].includes(file));

it("a server may write the folders in its manifest's arguments and values", () =>
  inPlace((place) => {
    expect(changes(place, place.data, `--root=${place.data}/inner`, "relative", "https://example.com/data")).toEqual([
      place.data,
      `${place.data}/inner`,
    ]);
  }));

it("the state folder and application are never writable, nor folders around or in them, except the inbox", () =>
  inPlace((place) => {
    const { home, root } = place;
    expect(changes(place, "/", path.dirname(root), root, `${root}/node_modules`, home, `${home}/keys`, `${home}/../.state/keys`)).toEqual(
      [],
    );
    expect(changes(place, `${home}/inbox`)).toEqual([`${home}/inbox`]);
  }));

it("folders in non-normal form and kernel folders are not writable", () =>
  inPlace((place) => {
    expect(changes(place, `${place.data}/inner/..`, `${place.data}//inner`, "/proc", "/proc/self", "/dev", "/sys/kernel")).toEqual([]);
    expect(changes(place, `${place.data}/`)).toEqual([place.data]);
  }));

it("a folder behind a link is not writable: another server could have made the link", () =>
  inPlace((place) => {
    fs.symlinkSync(path.join(place.home, "keys"), path.join(place.data, "innocent"));
    fs.symlinkSync("/etc", path.join(place.home, "inbox", "mail"));
    expect(changes(place, `${place.data}/innocent`, `${place.home}/inbox/mail`, `${place.data}/missing`)).toEqual([]);
  }));

it("a server reads its program and packages only", () =>
  inPlace((place) => {
    const folder = path.dirname(place.root);
    const reads = (entry: string) =>
      policyOf(place, entry).read.filter((file) => file.startsWith(folder) && !file.endsWith("package.json"));
    expect(reads(`${folder}/program/dist/main.js`)).toEqual([`${folder}/program`]);
    expect(reads(`${folder}/lone.js`)).toEqual([`${folder}/lone.js`]);
    expect(reads(`${place.home}/build/shop.mjs`)).toEqual([`${place.home}/build`, `${place.root}/node_modules`]);
    expect(reads(`${place.home}/programs/tool/node_modules/tool/dist/main.js`)).toEqual([
      `${place.home}/programs/tool`,
      `${place.root}/node_modules`,
    ]);
    expect(reads(`${place.home}/keys/planted.js`)).toEqual([`${place.home}/keys/planted.js`, `${place.root}/node_modules`]);
  }));

it("by default a server has no network, no other processes and bounded memory", () =>
  inPlace((place) => {
    expect(policyOf(place, "/nowhere/x.js")).toMatchObject({ network: NO_NETWORK, processes: false, capabilities: false });
    expect(policyOf(place, "/nowhere/x.js").limits?.memoryBytes).toBeGreaterThan(0);
  }));

it("all except a folder means its siblings, at every level", () =>
  inPlace(({ root, home }) => {
    expect(listAllExcept(root, [home]).toSorted()).toEqual([`${root}/node_modules`, `${root}/package.json`]);
    expect(listAllExcept(path.dirname(root), [`${home}/keys`])).not.toContain(root);
    expect(listAllExcept(home, [root])).toEqual([]);
    expect(listAllExcept(root, ["/elsewhere"])).toEqual([root]);
  }));
