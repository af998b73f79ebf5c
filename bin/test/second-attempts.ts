/** Names flaky tests: a stalled machine is no failure, but a race looks the same. */
import type { TestCase as BrowserTest } from "@playwright/test/reporter";
import type { TestCase } from "vitest/node";
import { writeOut } from "../terminal.mjs";

const MARK = "passed at the second attempt: ";

const say = (name: string): void => {
  writeOut(`\n${MARK}${name}\n`);
};

export default class Again {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) say(test.fullName);
  }

  onTestEnd(test: BrowserTest): void {
    if (test.outcome() === "flaky") say(test.titlePath().filter(Boolean).join(" › "));
  }

  printsToStdio(): boolean {
    return false;
  }
}

export const secondAttempts = (words: string): readonly string[] =>
  words.split("\n").flatMap((line) => (line.startsWith(MARK) ? [line] : []));
