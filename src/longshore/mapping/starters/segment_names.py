"""The JSON names of the elements of segments: one line for each segment, in order of positions.

``REF reference references : qualifier value`` means: one REF is the object ``reference``, several
are the array ``references``, and these are the names of its elements. ``codes[4]`` means four
consecutive positions, an array; ``ids[10](qualifier id)`` means twenty, an array of objects.
Composites are written alike; one that begins with ``[`` is itself the array. A line that begins
with blanks continues the line before it.

Users build on these names: a line may grow at its end, no name in it changes.
"""

from __future__ import annotations

from typing import Final

SEGMENT_NAMES: Final = """
ACK acknowledgement acknowledgements : status quantity unit date_qualifier date
    request_reference product_ids[10](qualifier id) agency_qualifier source_subqualifier
    industry_code
ADV advertisement advertisements : agency_qualifier service_code range_minimum range_maximum
    category second_service_code measurement
AMT amount amounts : qualifier amount credit_debit_flag
BAK acknowledgement acknowledgements : purpose type purchase_order_number date release_number
    request_reference contract_number seller_order_number acknowledgement_date transaction_type
BAL balance balances : type amount_qualifier amount
BEG order orders : purpose type number release_number date contract_number acknowledgement_type
    invoice_type contract_type purchase_category security_level transaction_type
BHT beginning beginnings : structure purpose reference date time transaction_type
BIG invoice invoices : date number order_date purchase_order_number release_number
    change_order_number type purpose action_code original_invoice_number
BPR payment payments : handling amount credit_debit_flag method format
    sender_bank(id_qualifier id account_qualifier account) originating_company_id
    originating_company_supplemental_code
    receiver_bank(id_qualifier id account_qualifier account) date business_function
    third_bank(id_qualifier id account_qualifier account)
BSN shipment shipments : purpose number date time structure transaction_type status_reason
CAD carrier_detail carrier_details : transport_mode equipment_initial equipment_number
    carrier_code routing status reference_qualifier reference service_level
CAS adjustment adjustments : group reasons[6](code amount quantity)
CB1 contract_period contract_periods : acquisition_data financing_type
CL1 institutional institutionals : admission_type admission_source patient_status
    nursing_home_status
CLD load_detail load_details : loads units packaging size unit
CLM claim claims : id amount filing_code claim_type place_of_service signature_on_file
    assignment benefits_assigned release_of_information patient_signature_source related_causes
    special_program participating_provider service_level copay_exempt provider_agreement status
    explanation_of_benefits submission_reason delay_reason
CLP claim claims : id status charge payment patient_responsibility filing_code
    payer_control_number facility_type frequency patient_status drg_code drg_weight
    discharge_fraction consent
CN1 contract contracts : type amount percent code terms_discount version
CR1 ambulance_transport ambulance_transports : weight_unit patient_weight transport_code reason
    distance_unit distance from_address to_address round_trip_purpose stretcher_purpose
CR2 spinal_manipulation spinal_manipulations : treatment_number treatment_count from_level
    to_level period_unit treatment_period monthly_treatments condition complication description
    further_description xrays_available
CR3 equipment_certification equipment_certifications : type duration_unit duration
    insulin_dependent description
CR4 enteral_therapy enteral_therapies : condition certification_type product_unit product_quantity
    need_unit need_quantity pump calories_unit calories height_unit height weight_unit weight count
    reason administration_method product_type rate daily_rate description formula_quantity
    formula_percent second_quantity third_quantity second_percent fourth_quantity third_percent
    fifth_quantity further_description
CR5 oxygen_therapy oxygen_therapies : certification_type duration equipment_type
    second_equipment_type reason flow_rate daily_use_count hours_per_use therapist_order
    arterial_gas saturation test_condition findings[3] portable_flow_rate delivery_system
    third_equipment_type
CR6 home_health home_healths : prognosis start_date certification_format certification_period
    diagnosis_date skilled_nursing medicare_covered certification_type surgery_date
    surgery_qualifier surgery_code order_date last_visit_date contact_date admission_format
    admission_period facility_type secondary_diagnosis_dates[4]
CR7 treatment_plan treatment_plans : discipline visits_before visits_planned
CR8 pacemaker pacemakers : implant_type implant_status implant_date replacement_date
    lead_manufacturer lead_model lead_serial returned_to_manufacturer free_of_charge
CRC condition conditions : category applies codes[5]
CSH sales_requirement sales_requirements : code action amount account date agency_qualifier
    service_code product_date_code percent percent_qualifier
CTB restriction restrictions : qualifier description quantity_qualifier quantity
    amount_qualifier amount
CTP price prices : trade_class type unit_price quantity unit multiplier_qualifier multiplier
    amount basis condition_value multiple_price_quantity
CTT totals totals : line_count hash_total weight weight_unit volume volume_unit description
CUR currency currencies : role code exchange_rate second_role second_code market_exchange
    dates[5](qualifier date time)
DIS discount discounts : terms_type base_qualifier base_value control_qualifier lower_limit
    upper_limit
DMG demographics demographics : format birth_date gender marital_status races citizenship
    country verification quantity code_list code
DN1 orthodontic orthodontics : months remaining_months applies description
DN2 tooth teeth : number status quantity format period code_list
DSB disability disabilities : type quantity occupation work_intensity product_option amount
    procedure_qualifier procedure
DTM date_reference dates : qualifier date time time_zone format period
DTP date_reference dates : qualifier format period
EFI electronic_file electronic_files : security_level text technique version program program_version
    interchange_format format_version compression drawing_sheet_size file_name block_type
    record_length block_length second_version filter
ETD excess_transport excess_transports : reason responsibility reference_qualifier reference
    authorization
FA1 account accounts : agency_qualifier service_code allowance_indicator
FA2 account_code account_codes : type code
FOB fob fobs : payment_method location_qualifier description terms_qualifier terms
    title_location_qualifier title_description risk_code risk_description
FRM answer answers : question yes_no text date percent
G61 contact contacts : function name number_qualifier number reference
GF freight_terms freight_terms : reference_qualifier reference contract_number amount
    second_reference_qualifier second_reference release_number third_reference_qualifier
    third_reference
HCP pricing pricings : methodology allowed_amount savings_amount organization_id rate group_code
    group_amount revenue_code procedure_qualifier procedure unit quantity rejection_reason
    compliance exception
HI health_code health_codes : codes[12]
HL level levels : id parent level has_children
HSD service_delivery service_deliveries : quantity_qualifier quantity unit sample_frequency
    period_qualifier period_count calendar_pattern time_pattern
IMM immunization immunizations : code format period status report_type
IN2 name_part name_parts : qualifier text
INC instalment instalments : terms_type unit total_payments payment_number amount
ISS shipment_total shipment_totals : units unit weight weight_unit volume volume_unit pallets
    weight_per_unit
IT1 line lines : line_number quantity unit unit_price price_basis product_ids[10](qualifier id)
IT3 condition conditions : units unit status difference_qualifier change_reason
IT8 sale_condition sale_conditions : code action amount account date agency_qualifier
    product_date_code product_ids[10](qualifier id)
ITD term terms : type basis discount_percent discount_due_date discount_days net_due_date
    net_days discount_amount deferred_due_date deferred_amount invoice_percent description
    due_day payment_method percent
K3 file_information file_information : text record_format unit
L7 tariff tariffs : sequence agency number section item item_part class_code supplement edition
    date rate_basis scale column second_column city state
LDT lead_time lead_times : code quantity unit date
LE lead_block_end lead_block_ends : code
LEP waste_requirement waste_requirements : waste_codes waste_characteristics state reference
LFH freeform_hazard freeform_hazards : qualifier information second_information exposure_limit
    unit quantity second_quantity
LH1 hazardous_good hazardous_goods : unit quantity un_number page commodity second_unit
    second_quantity compartment residue packing_group container_type
LH2 hazard_class hazard_classes : class_code class_qualifier placard endorsement residue
    temperatures[3](unit temperature)
LH3 hazard_name hazard_names : name name_qualifier technical_name applies
LH4 emergency_response emergency_responses : plan phone packing_group subsidiary_classes[3]
    net_explosive_quantity canadian_notation special_commodity communication_number second_phone
    unit
LHE empty_equipment empty_equipments : shipping_name placard reference_qualifier reference residue
LHR hazard_reference hazard_references : qualifier value date
LHT transborder_hazard transborder_hazards : class_code placard endorsement
LIN item items : line_number product_ids[15](qualifier id)
LM code_source code_sources : agency_qualifier source_subqualifier
LQ industry_code industry_codes : list code
LS lead_block lead_blocks : code
LX number numbers : number
MAN mark marks : qualifier number end_number second_qualifier second_number second_end_number
MEA measurement measurements : reference qualifier value unit range_minimum range_maximum
    significance attribute surface method code_list code
MIA inpatient_adjudication inpatient_adjudications : covered_days pps_operating_outlier
    lifetime_psychiatric_days drg_amount remarks_code disproportionate_share msp_pass_through
    pps_capital capital_fsp_drg capital_hsp_drg capital_dsh_drg old_capital
    capital_indirect_teaching operating_hsp_drg cost_report_days operating_fsp_drg
    pps_capital_outlier capital_exception nonpayable_professional further_remarks_codes[4]
    capital_outlier
MOA outpatient_adjudication outpatient_adjudications : reimbursement_rate hcpcs_payable
    remarks_codes[5] esrd_payment nonpayable_professional
MSG message messages : text printer_control number
MTX text texts : reference text second_text printer_control number language
N1 party parties : role name id_qualifier id relationship second_role
N2 additional_name additional_names : name second_name
N3 street streets : line_1 line_2
N4 location locations : city state postal_code country location_qualifier location subdivision
N9 extended_reference extended_references : qualifier value description date time time_zone related
NM1 name names : role entity_type last_name first_name middle_name prefix suffix id_qualifier id
    relationship second_role second_last_name
NTE note notes : reference text
NX2 address_component address_components : qualifier text county
OI coverage coverages : filing_code submission_reason benefits_assigned patient_signature_source
    provider_agreement release_of_information
PAL pallet pallets : type tiers blocks pack unit_weight weight_unit length width height
    dimension_unit gross_weight gross_weight_unit gross_volume gross_volume_unit exchange_code
    weight_per_pallet
PAM period_amount period_amounts : quantity_qualifier quantity unit amount_qualifier amount
    period start_qualifier start_date start_time end_qualifier end_date end_time
    percent_qualifier percent applies
PAT patient_info patient_infos : relationship location employment student death_format
    death_date weight_unit weight pregnant
PCT percent percents : qualifier percent
PER contact contacts : function name numbers[3](qualifier number) inquiry_reference
PID description descriptions : type characteristic agency_qualifier code text surface
    source_subqualifier applies language
PKG packaging packagings : type characteristic agency_qualifier code text load_code
PLB provider_adjustment provider_adjustments : provider_id fiscal_period
    adjustments[6](reason amount)
PO1 line lines : line_number quantity unit unit_price price_basis product_ids[10](qualifier id)
PO3 additional_detail additional_details : change_reason date price_type unit_price price_basis
    quantity unit description
PO4 pack_detail pack_details : pack size unit packaging weight_qualifier gross_weight
    gross_weight_unit gross_volume gross_volume_unit length width height dimension_unit
    inner_pack surface assigned_ids[2] number
PRF purchase_order purchase_orders : number release_number change_order_number date line_number
    contract_number type
PRV provider provider_infos : role id_qualifier id state specialty organization
PS1 purchased_service purchased_services : provider_id charge state
PWK attachment attachments : report_type transmission copies role id_qualifier id description
    actions category
QTY quantity quantities : qualifier quantity unit text
R4 port ports : function location_qualifier location name country terminal pier state
RDM delivery deliveries : transmission name number second_reference third_reference
REF reference references : qualifier value description related
SAC allowance allowances : indicator code agency_qualifier agency_code amount percent_qualifier
    percent rate unit quantity second_quantity handling reference option description language
SBR subscriber_info subscriber_infos : responsibility relationship group_number group_name
    insurance_type coordination_of_benefits applies employment filing_code
SCH schedule schedules : quantity unit role name first_date_qualifier first_date first_time
    second_date_qualifier second_date second_time request_reference line_number
SDQ destination_quantity destination_quantities : unit id_qualifier
    destinations[10](id quantity) location
SI service_characteristic service_characteristics : agency_qualifier
    characteristics[10](qualifier id)
SLN subline sublines : id parent_id relationship quantity unit unit_price price_basis
    second_relationship product_ids[10](qualifier id)
SN1 shipped shipped : line_number quantity unit shipped_to_date ordered_quantity ordered_unit
    returnable_container status
SPI specification specifications : security_level reference_qualifier reference entity_title
    entity_purpose entity_status purpose report_type second_security_level agency_qualifier
    source_subqualifier number certification_type accounting_profile structure
SR service_schedule service_schedules : line_number flight_day start_time end_time text unit_price
    quantity start_date end_date product_id second_product_id
SV1 professional professionals : procedure charge unit quantity facility_type service_type
    diagnosis_pointers second_amount emergency multiple_procedure epsdt family_planning review
    copay health_shortage_area nursing_home_status third_party_reference location_code price
    rates_code provider_agreement
SV2 institutional institutionals : revenue_code procedure charge unit quantity rate
    noncovered_charge applies nursing_home_status location_code
SV3 dental dentals : procedure charge facility_type oral_cavities prosthesis quantity
    description copay provider_agreement applies diagnosis_pointers
SV4 drug_claim drug_claims : reference procedure second_reference applies daw_code service_level
    dispensing_code description is_refill is_compound basis_of_cost unit_dose clarification
    emergency copay nursing_home_status location_code basis_of_days
SV5 equipment_claim equipment_claims : procedure unit quantity rental_price purchase_price
    rental_frequency prognosis
SV6 anesthesia_claim anesthesia_claims : procedure agent facility_type amount diagnosis_pointers
    quantity applies
SV7 drug_adjudication drug_adjudications : reference second_reference drug_schedule coverage_level
    characteristic applies
SVC service services : procedure charge payment revenue_code quantity original_procedure
    original_quantity
SVD adjudication adjudications : payer_id payment procedure revenue_code quantity bundled_line
TAX tax_reference tax_references : id locations[5](qualifier code) exempt agency_qualifier
TC2 commodity commodities : qualifier code
TD1 package packages : packaging count commodity_qualifier commodity lading_description
    weight_qualifier weight weight_unit volume volume_unit
TD3 equipment equipment : type initial number weight_qualifier weight weight_unit ownership
    seal_status seal_number container_type
TD4 special_handling special_handlings : code hazard_qualifier hazard_class description applies
TD5 carrier carriers : routing_sequence id_qualifier id transport_mode routing status
    location_qualifier location transit_direction transit_time_qualifier transit_time
    service_levels[3] country
TDS total totals : amount discountable_amount discounted_amount discount_amount
TOO tooth teeth : code_list number surfaces
TRN trace traces : type number originating_company_id second_number
TS2 provider_supplemental_summary provider_supplemental_summaries : drg_amount federal_specific
    hospital_specific disproportionate_share capital indirect_teaching outlier_days day_outlier
    cost_outlier drg_average_stay discharges cost_report_days covered_days noncovered_days
    msp_pass_through average_drg_weight pps_capital_federal pps_capital_hospital
    pps_capital_disproportionate
TS3 provider_summary provider_summaries : provider_id facility_type fiscal_period claim_count
    charge_total covered_charges noncovered_charges denied_charges payment_total interest
    contractual_adjustment gramm_rudman_reduction msp_payer blood_deductible nonlab_charges
    coinsurance hcpcs_reported hcpcs_payable deductible professional_component patient_liability
    patient_reimbursement pip_claim_count pip_adjustment
TSD trailer_shipment trailer_shipments : id position
TXI tax taxes : type amount percent jurisdiction_qualifier jurisdiction exempt relationship
    base_amount tax_id line_number
UR peer_review peer_reviews : outcome quantity
V1 vessel vessels : code name country voyage carrier_code requirement type code_qualifier
    transport_mode
YNQ question questions : condition response format period texts[3] code_list code further_text
"""

COMPOSITE_NAMES: Final = """
C001 : code exponent multiplier further[4](code exponent multiplier)
C002 : [5]
C003 : qualifier code modifiers[4] description end_code
C004 : [4]
C005 : [5]
C006 : [5]
C022 : qualifier code format period amount quantity version end_code present_on_admission
C023 : facility qualifier frequency
C024 : causes[3] state country
C035 : specialty agency_qualifier applies
C040 : [3](qualifier value)
C042 : code id
C056 : code code_list list_code
"""
