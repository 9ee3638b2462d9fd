import {
  addGauge,
  addLine,
  type IncidentAlert,
  restoreGauge,
  restoreLine,
  WITHOUT_ALERT,
} from '../../src/model/health/incident-alert.ts';

const alertOf = (state: 'gauge' | 'driver', severityRank: number): IncidentAlert => ({
  state,
  id: 'first',
  severityRank,
});
const none = WITHOUT_ALERT;
const gauge = alertOf('gauge', Infinity);
const driver = alertOf('driver', 2);

test.each<[string, IncidentAlert, IncidentAlert]>([
  ['none, line without alert', restoreLine(none, null, 2), { ...none, severityRank: 2 }],
  ['none, line', restoreLine(none, 'first', 2), driver],
  ['driver, more severe line', restoreLine(driver, 'second', 1), alertOf('driver', 1)],
  ['driver, less severe line', restoreLine(driver, null, 3), driver],
  ['none, gauge without alert', restoreGauge(none, null), none],
  ['none, gauge', restoreGauge(none, 'first'), gauge],
  ['gauge, gauge', restoreGauge(gauge, 'second'), gauge],
  ['driver, gauge', restoreGauge(driver, 'second'), driver],
])('a stored XID restores the alert: %s', (_title, alert, next) => {
  expect(alert).toEqual(next);
});

test.each<[string, ReturnType<typeof addLine>, IncidentAlert, string | null]>([
  ['none, line', addLine(none, 'first', 2), driver, 'raise'],
  [
    'none, less severe line than a stored one',
    addLine({ ...none, severityRank: 2 }, 'first', 3),
    driver,
    'raise',
  ],
  ['none, line of a code without alert', addLine(none, null, 2), none, null],
  ['gauge, line', addLine(gauge, 'second', 2), driver, 'replace'],
  ['driver, more severe line', addLine(driver, 'second', 1), alertOf('driver', 1), 'update'],
  ['driver, equally severe line', addLine(driver, 'second', 2), driver, null],
  ['driver, less severe line', addLine(driver, 'second', 3), driver, null],
  ['none, gauge', addGauge(none, 'first'), gauge, 'raise'],
  ['none, gauge of a code without alert', addGauge(none, null), none, null],
  ['gauge, gauge', addGauge(gauge, 'second'), gauge, null],
])('a new XID moves the alert: %s', (_title, transition, alert, effect) => {
  expect(transition).toEqual({ alert, effect });
});
