import { expect, test, vi } from "vitest";

const openTab = async () => {
  vi.resetModules();

  return (await import("./tab")).tab;
};

test("a tab is stale once another shows another workspace, until its own is shown again", async () => {
  const [one, two] = [await openTab(), await openTab()];
  one.show("a");
  two.show("a");
  expect([one.isStale(), one.isLeaving()]).toEqual([false, false]);
  two.show("b");
  await expect.poll(() => one.isStale()).toBe(true);
  expect([two.isStale(), one.isLeaving()]).toEqual([false, true]);
  one.show("a");
  expect(one.isStale()).toBe(false);
  await expect.poll(() => two.isStale()).toBe(true);
});

test("a tab expects its session to end once another leaves the workspace", async () => {
  const [one, two] = [await openTab(), await openTab()];
  one.show("c");
  two.show("c");
  two.announceLeaving();
  await expect.poll(() => one.isLeaving()).toBe(true);
  expect([one.isStale(), two.isLeaving()]).toEqual([false, false]);
});

test("a tab that shows no workspace is never stale", async () => {
  const [one, two] = [await openTab(), await openTab()];
  two.show("a");
  two.markStale();
  expect([one.isStale(), two.isStale()]).toEqual([false, true]);
});
