/** Counts a person's actions: each click, filled field and key. */
import type { Locator, Page } from "@playwright/test";

export type Actions = {
  readonly click: (target: Locator) => Promise<void>;
  readonly fill: (target: Locator, text: string) => Promise<void>;
  /** Opening a list and choosing from it are two. */
  readonly choose: (list: Locator, option: Locator) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** For helpers that repeat a key until a busy page takes it. */
  readonly add: (actions: number) => void;
  readonly count: () => number;
};

export const countActions = (page: Page): Actions => {
  let count = 0;
  const click = async (target: Locator) => {
    count += 1;
    await target.click();
  };

  return {
    click,
    fill: async (target, text) => {
      count += 1;
      await target.fill(text);
    },
    choose: async (list, option) => {
      await click(list);
      await click(option);
    },
    press: async (key) => {
      count += 1;
      await page.keyboard.press(key);
    },
    add: (actions) => {
      count += actions;
    },
    count: () => count,
  };
};
