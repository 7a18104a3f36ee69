/** The descriptions that the stand-in speaks. 2.0 stands for 2.0.3 and 2.0.4, which differ in texts and examples alone. */
export type Version = "1.1" | "1.2" | "2.0";

/** Values of a description's enumerations. `transactionSubtype` is free text before 2.0. */
export interface Values {
  readonly transactionType: readonly string[];
  readonly transactionSubtype: readonly string[];
  readonly movementType: readonly string[];
  readonly instrumentDate: readonly string[];
  readonly instrumentPrice: readonly string[];
  readonly optionStyle: readonly string[];
  readonly dayCountBasis: readonly string[];
  readonly fxType: readonly string[];
}

/** Alike in all versions. */
export const identificationTypes = words(`
  isin sedol cusip ric tickerSymbol bloomberg cta quick wertpapier dutch valoren sicovam belgian common
  otherProprietaryIdentification
`);
export const transactionDates = words(`
  effectiveSettlementDate settlementDate valueDate performanceDate bookingDate transactionDate
`);
export const paymentFrequencies = words("annual monthly quarterly semiAnnual weekly atMaturity other");

const before: Omit<Values, "transactionType" | "transactionSubtype"> = {
  movementType: words(`
    security cash revenue stampDuty withholdingTax capitalGainTax financialTransactionTax otherTaxes transactionFee
    brokerageFee managementFee courtage custodyFee exchangeFee thirdPartyFee otherFee others
  `),
  // Spelt as in the descriptions.
  instrumentDate: words(`
    issueDate maturityDate nextCallableDate excerciseDate expiryDate couponDate floatingRateFixingDate
    conversionDate putableDate datedDate firstPaymentDate nextFactorDate
  `),
  instrumentPrice: words("strikePrice capPrice floorPrice conversionPrice excercisePrice subscriptionPrice"),
  optionStyle: words("amer euro berm"),
  dayCountBasis: words(`
    act_360 act_365 act_actIcma act_actIsda act_actAfb u30_360 u30E_360Icma u30E_360Isda u30E_360 u30U_360
  `),
  fxType: words("real calculatory"),
};

export const values: Readonly<Record<Version, Values>> = {
  "1.1": {
    ...before,
    transactionType: words(`
      securitiesExchange cash fees interest credit fx taxes corporateActions fiduciary moneyMarket
      securitiesTransfer physical interestSwap medium-termNotes others
    `),
    transactionSubtype: words("Buy"),
  },
  "1.2": {
    ...before,
    transactionType: words(`
      securitiesExchange cash fees credit fx taxes corporateActions fiduciary moneyMarket securitiesTransfer
      physical otcForwardRateAgreement otcOption otcCreditDefaultSwap otcTotalReturnSwap otcIRSCapsFloorsCollars
      otcInterestRateSwap otcCrossCurrencySwap otcSwaption others
    `),
    transactionSubtype: words("Buy"),
  },
  "2.0": {
    transactionType: words(`
      securitiesExchange cash fees credit fx taxes corporateActions fiduciary moneyMarket securitiesTransfer
      physical otc others
    `),
    transactionSubtype: words(`
      additionalPayment adjustNotional assignment assimilation bonus buy buyBarrier buyDigital buyIssue buyToClose
      buyToOpen capitalIncrease closeFxForward closeNDF conversionBondShare creditEvent decrease
      deliverSecurityToFund deliveryFreeOfPayment deliveryVsPayment dividendCash dividendChoice dividendReinvestment
      dividendStock exercise exerciseCash exercisePhysical expiration expirationOldSecurity fees
      finalLiquidationPayment fxSpot incompleteRights increase inflowOutflowDigital inflowOutflowPhysical
      instrumentExchange interest internalTransfer knockIn knockOut liquidationPayment markToMarket markToMarketCash
      merger netAmount openFxForward openNDF openPayerSwap openReceiverSwap openSwapForwardLeg other premium
      prepayment publicOffer receiveFreeOfPayment receiveFromFund receiveSecurityFromFund receiveVsPayment
      redemption redemptionPartial redemptionPrior reductionOfNominal resetPayment revenue rightDistribution sell
      sellBarrier sellDigital sellToClose sellToOpen spinOff split subscription swapSpotLeg taxCorrections taxes
      transferMetalPhysical unwind variationMargin
    `),
    movementType: words(`
      security cash revenue stampDuty withholdingTax additionalWithholdingTax coupon premium capitalGainTax
      financialTransactionTax otherTaxes transactionFee brokerageFee managementFee courtage custodyFee exchangeFee
      thirdPartyFee otherFee others
    `),
    instrumentDate: words(`
      issueDate maturityDate nextCallableDate exerciseDate expiryDate couponDate floatingRateFixingDate
      conversionDate putableDate datedDate firstPaymentDate nextFactorDate
    `),
    instrumentPrice: words(`
      strike cap floor conversion exercise subscription autocall barrierLevel bonusLevel financingLevel
      initialFixing knockOut stopLoss knockIn
    `),
    optionStyle: words("american european bermudan asian"),
    dayCountBasis: words(`
      act_360 act_365 act_actIcma act_actIsda act_actAfb act_365L bus_252 u30_360 u30E_360Icma u30E_360Isda u30E_360
      u30U_360
    `),
    fxType: words("calculatory dealPrice costPrice"),
  },
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
