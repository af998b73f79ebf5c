import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ServerFailure } from "./server-failure";

const shown = (lastError: string | null, errorOutput: string | null): string =>
  renderToStaticMarkup(<ServerFailure server={{ lastError, errorOutput }} />);

test("shows nothing for a server that was reached", () => {
  expect(shown(null, null)).toBe("");
});

test("shows the error alone to those who may not see the output", () => {
  expect(shown("It exited.", null)).toContain("It exited.");
  expect(shown("It exited.", null)).not.toContain("<pre");
});

test("shows the output as text", () => {
  expect(shown("It exited.", "line 1\n<img src=x>")).toMatch(/<pre[^>]*>line 1\n&lt;img src=x&gt;<\/pre>/u);
});
