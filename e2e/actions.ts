/** Counts what a person does: a click, a field filled in, and a key are one action each. */
import type { Locator, Page } from "@playwright/test";

export type Actions = {
  readonly click: (target: Locator) => Promise<void>;
  readonly fill: (target: Locator, text: string) => Promise<void>;
  /** Opening a list and choosing from it are two. */
  readonly choose: (list: Locator, option: Locator) => Promise<void>;
  readonly count: () => number;
};

/** @param page whose keys count too, also those that other helpers press */
export const countActions = (page: Page): Actions => {
  let count = 0;
  const press = page.keyboard.press.bind(page.keyboard);
  page.keyboard.press = async (...keys) => {
    count += 1;
    await press(...keys);
  };
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
    count: () => count,
  };
};
