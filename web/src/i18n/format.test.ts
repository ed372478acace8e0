import { describe, expect, it } from 'vitest';
import { bytes, timeCode, timeRange } from './format';

describe('timeCode', () => {
  it.each([
    [0, '0:00'],
    [999, '0:00'],
    [727_000, '12:07'],
    [3_723_000, '1:02:03'],
    [-5, '0:00'],
  ])('%d ms is %s', (ms, text) => {
    expect(timeCode(ms)).toBe(text);
  });
});

describe('timeRange', () => {
  it('RoundsTheEndUp', () => {
    expect(timeRange(727_400, 750_001)).toBe('12:07–12:31');
    expect(timeRange(1000, 1200)).toBe('0:01–0:02');
  });
});

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [88_120, '88.1 kB'],
    [2_480_123, '2.5 MB'],
    [20_000_000_000, '20 GB'],
  ])('%d is %s', (size, text) => {
    expect(bytes(size)).toBe(text);
  });
});
