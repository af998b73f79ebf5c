import { expect, test } from "vitest";
import { isTeamsAddress } from "./teams-address";

const OPENED = ["https://teams.example.com"];

test.each([
  ["https://prod-01.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=x", true],
  ["https://1.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1?sig=x", true],
  ["https://acme.webhook.office.com/webhookb2/1", true],
  ["https://teams.example.com/hook", true],
  ["https://teams.example.com:8443/hook", false],
  ["http://prod-01.westeurope.logic.azure.com/workflows/1", false],
  ["https://prod-01.westeurope.logic.azure.com:8443/workflows/1", false],
  ["https://logic.azure.com.evil.example/workflows/1", false],
  ["https://evillogic.azure.com/workflows/1", false],
  ["https://name:pass@prod-01.westeurope.logic.azure.com/workflows/1", false],
  ["https://evil.example/?https://acme.webhook.office.com", false],
  ["not an address", false],
])("%s is an address of Teams: %s", (url, expected) => {
  expect(isTeamsAddress(url, OPENED)).toBe(expected);
});
