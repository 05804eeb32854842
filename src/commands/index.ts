// Written by set-up from the files of this folder: do not edit.
import absurlCommand from './absurl.ts'
import addcolumnCommand from './addcolumn.ts'
import apiCommand from './api.ts'
import appendCommand from './append.ts'
import assertCommand from './assert.ts'
import authCommand from './auth.ts'
import base64Command from './base64.ts'
import binCommand from './bin.ts'
import commandsCommand from './commands.ts'
import containsCommand from './contains.ts'
import convertCommand from './convert.ts'
import countCommand from './count.ts'
import crawlCommand from './crawl.ts'
import dedupCommand from './dedup.ts'
import devicesCommand from './devices.ts'
import diffCommand from './diff.ts'
import dropCommand from './drop.ts'
import evalCommand from './eval.ts'
import evaluateCommand from './evaluate.ts'
import excludesCommand from './excludes.ts'
import extractCommand from './extract.ts'
import feedCommand from './feed.ts'
import fillCommand from './fill.ts'
import filldownCommand from './filldown.ts'
import filterCommand from './filter.ts'
import findCommand from './find.ts'
import flattenCommand from './flatten.ts'
import formCommand from './form.ts'
import formatTimestampCommand from './formatTimestamp.ts'
import freezeCommand from './freeze.ts'
import functionsCommand from './functions.ts'
import graphqlCommand from './graphql.ts'
import groupByCommand from './groupBy.ts'
import guidCommand from './guid.ts'
import hashCommand from './hash.ts'
import headCommand from './head.ts'
import histogramCommand from './histogram.ts'
import htmlCommand from './html.ts'
import joinCommand from './join.ts'
import jsonpathCommand from './jsonpath.ts'
import limitCommand from './limit.ts'
import lookupCommand from './lookup.ts'
import lowerCommand from './lower.ts'
import markdownCommand from './markdown.ts'
import matchesCommand from './matches.ts'
import maxCommand from './max.ts'
import mergeCommand from './merge.ts'
import minCommand from './min.ts'
import normalizeCommand from './normalize.ts'
import oauthCommand from './oauth.ts'
import openCommand from './open.ts'
import outliersCommand from './outliers.ts'
import parseCSVCommand from './parseCSV.ts'
import parseJSONCommand from './parseJSON.ts'
import parseTimestampCommand from './parseTimestamp.ts'
import parseURLCommand from './parseURL.ts'
import parseXMLCommand from './parseXML.ts'
import pivotCommand from './pivot.ts'
import promptCommand from './prompt.ts'
import rangeCommand from './range.ts'
import rareCommand from './rare.ts'
import redactCommand from './redact.ts'
import renameCommand from './rename.ts'
import replaceCommand from './replace.ts'
import requestsCommand from './requests.ts'
import reverseCommand from './reverse.ts'
import roundCommand from './round.ts'
import runTemplateCommand from './runTemplate.ts'
import sampleCommand from './sample.ts'
import screenshotCommand from './screenshot.ts'
import seedCommand from './seed.ts'
import sequenceCommand from './sequence.ts'
import sessionCommand from './session.ts'
import sitemapCommand from './sitemap.ts'
import soapCommand from './soap.ts'
import sortCommand from './sort.ts'
import splitCommand from './split.ts'
import sqlCommand from './sql.ts'
import stageCommand from './stage.ts'
import statsCommand from './stats.ts'
import stringifyCommand from './stringify.ts'
import summarizeCommand from './summarize.ts'
import tableCommand from './table.ts'
import tailCommand from './tail.ts'
import textCommand from './text.ts'
import thawCommand from './thaw.ts'
import timechartCommand from './timechart.ts'
import timestampCommand from './timestamp.ts'
import topCommand from './top.ts'
import transposeCommand from './transpose.ts'
import trimCommand from './trim.ts'
import unbase64Command from './unbase64.ts'
import unflattenCommand from './unflatten.ts'
import unpivotCommand from './unpivot.ts'
import upperCommand from './upper.ts'
import urldecodeCommand from './urldecode.ts'
import urlencodeCommand from './urlencode.ts'
import webhookCommand from './webhook.ts'

export const commands = [
  absurlCommand,
  addcolumnCommand,
  apiCommand,
  appendCommand,
  assertCommand,
  authCommand,
  base64Command,
  binCommand,
  commandsCommand,
  containsCommand,
  convertCommand,
  countCommand,
  crawlCommand,
  dedupCommand,
  devicesCommand,
  diffCommand,
  dropCommand,
  evalCommand,
  evaluateCommand,
  excludesCommand,
  extractCommand,
  feedCommand,
  fillCommand,
  filldownCommand,
  filterCommand,
  findCommand,
  flattenCommand,
  formCommand,
  formatTimestampCommand,
  freezeCommand,
  functionsCommand,
  graphqlCommand,
  groupByCommand,
  guidCommand,
  hashCommand,
  headCommand,
  histogramCommand,
  htmlCommand,
  joinCommand,
  jsonpathCommand,
  limitCommand,
  lookupCommand,
  lowerCommand,
  markdownCommand,
  matchesCommand,
  maxCommand,
  mergeCommand,
  minCommand,
  normalizeCommand,
  oauthCommand,
  openCommand,
  outliersCommand,
  parseCSVCommand,
  parseJSONCommand,
  parseTimestampCommand,
  parseURLCommand,
  parseXMLCommand,
  pivotCommand,
  promptCommand,
  rangeCommand,
  rareCommand,
  redactCommand,
  renameCommand,
  replaceCommand,
  requestsCommand,
  reverseCommand,
  roundCommand,
  runTemplateCommand,
  sampleCommand,
  screenshotCommand,
  seedCommand,
  sequenceCommand,
  sessionCommand,
  sitemapCommand,
  soapCommand,
  sortCommand,
  splitCommand,
  sqlCommand,
  stageCommand,
  statsCommand,
  stringifyCommand,
  summarizeCommand,
  tableCommand,
  tailCommand,
  textCommand,
  thawCommand,
  timechartCommand,
  timestampCommand,
  topCommand,
  transposeCommand,
  trimCommand,
  unbase64Command,
  unflattenCommand,
  unpivotCommand,
  upperCommand,
  urldecodeCommand,
  urlencodeCommand,
  webhookCommand,
]
