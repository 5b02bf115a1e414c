import { expect, it } from "vitest";
import { isPassingConflict, overConflicts, pauseAfter } from "../../values/azureConflict.ts";

it.each([
  ['Status=409 Code="AnotherOperationInProgress" Message="…"', true],
  ['Status=409 Code="Conflict" Message="Another operation is in progress on \'flux\'."', true],
  ['Status=412 Code="PreconditionFailed" Message="The ETag does not match."', true],
  [
    'extensionconfigs "flux": the object has been modified; please apply your changes to the latest version',
    true,
  ],
  ['Status=409 Code="InvalidResourceLocation" Message="already exists in location \'westeurope\'"', false],
  ['Status=409 Code="MissingSubscriptionRegistration" Message="…"', false],
  ['Status=409 Code="CannotDeleteResource" Message="cannot be deleted before extensions/flux"', false],
  ['Status=403 Code="AuthorizationFailed" Message="…"', false],
])("of Azure's refusals, %s passes by itself: %s (C02)", (error, passes) => {
  expect(isPassingConflict(error)).toBe(passes);
});

it("tries again while a conflict lasts, for some twenty minutes and no longer", async () => {
  const pauses: number[] = [];
  const sleep = (seconds: number) => Promise.resolve(void pauses.push(seconds));
  let left = 3;
  const busy = () =>
    left-- > 0 ? Promise.reject(new Error("Another operation is in progress")) : Promise.resolve(7);
  expect(await overConflicts(busy, sleep)).toBe(7);
  expect(pauses).toEqual([2, 4, 8]);

  pauses.length = 0;
  const always = overConflicts(() => Promise.reject(new Error("Another operation is in progress")), sleep);
  await expect(always).rejects.toThrow("Another operation");
  const minutes = pauses.reduce((sum, one) => sum + one, 0) / 60;
  expect([minutes > 15, minutes < 25, pauseAfter(pauses.length + 1)]).toEqual([true, true, undefined]);
});

it("tells any other error at once", async () => {
  const refused = overConflicts(
    () => Promise.reject(new Error("AuthorizationFailed")),
    () => Promise.reject(new Error("slept")),
  );
  await expect(refused).rejects.toThrow("AuthorizationFailed");
});
