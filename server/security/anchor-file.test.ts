import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { anchoredKey, anchorOfKeys } from "@/lib/engine/testing/anchor";
import { getAnchorFile, loadAnchor, watchAnchor, writeAnchor } from "@/server/security/anchor-file";

test("a process accepts only an anchor that extends its own", () =>
  inTemporaryFolder(async (home) => {
    fs.mkdirSync(path.join(home, "keys"));
    const [a, b, thief] = [await anchoredKey(), await anchoredKey(), await anchoredKey()];
    const complaints: string[] = [];
    const read = watchAnchor(getAnchorFile(home), (error) => complaints.push(error.message));
    expect(await read()).toBeNull();
    const first = await anchorOfKeys(a);
    await writeAnchor(home, first);
    expect(await read()).toEqual(first);
    const later = await anchorOfKeys(a, b);
    await writeAnchor(home, later);
    expect(await read()).toEqual(later);
    expect(complaints).toEqual([]);

    for (const other of [first, await anchorOfKeys(thief), await anchorOfKeys(a, thief)]) {
      await writeAnchor(home, other);
      expect(await read()).toEqual(later);
    }
    fs.writeFileSync(getAnchorFile(home), "{");
    expect(await read()).toEqual(later);
    expect(complaints).toHaveLength(4);
    fs.rmSync(getAnchorFile(home));
    expect(await read()).toEqual(later);
  }));

test("an invalid anchor is neither written nor loaded", () =>
  inTemporaryFolder(async (home) => {
    fs.mkdirSync(path.join(home, "keys"));
    const [a, thief] = [await anchoredKey(), await anchoredKey()];
    const anchor = await anchorOfKeys(a);
    const planted = { ...anchor, keys: [...anchor.keys, { kid: thief.kid, public_key: thief.public, since: 0 }] };
    await expect(writeAnchor(home, planted)).rejects.toThrow("chain");
    fs.writeFileSync(getAnchorFile(home), JSON.stringify(planted));
    await expect(loadAnchor(home)).rejects.toThrow("chain");
  }));
