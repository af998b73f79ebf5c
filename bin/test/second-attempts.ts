/**
 * Says which tests passed only at their second attempt, for both test runners. They count as passed, because a machine that stands
 * still for a moment is not a fault; and they are named at the end, because a race of ours looks the same.
 */
import type { TestCase as BrowserTest } from "@playwright/test/reporter";
import type { TestCase } from "vitest/node";
import { writeOut } from "../terminal.mjs";

const MARK = "passed at the second attempt: ";

const say = (name: string): void => {
  writeOut(`\n${MARK}${name}\n`);
};

/** A reporter of vitest and of Playwright. */
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

/** The lines that say so in what a runner wrote. */
export const secondAttempts = (words: string): readonly string[] =>
  words.split("\n").flatMap((line) => (line.startsWith(MARK) ? [line] : []));
